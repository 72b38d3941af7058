// The ARNs in a request that name resources of another account or region.

#pragma once

#include "dolmen/result.h"
#include "wire/operation.h"

namespace dolmen::wire {

// Checks that each ARN of DynamoDB in the request is in the account and the region of `context`. No
// other resource exists here, so without this check the table of the same name would answer for it. The
// ARNs are the members whose names end with "Arn", and the names of tables, which may be ARNs.
// - kValidation: an ARN is in another region. Some operations report it for another account, too.
// - ExportNotFoundException (Fail): the ARN of an export is in another region.
// - AccessDeniedException (Fail): an ARN is in another account.
Status CheckPlaces(const Context& context, const Operation& operation, const JsonObject& request);

}  // namespace dolmen::wire
