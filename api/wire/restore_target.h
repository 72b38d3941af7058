// The table that a restore creates: its name, and the overrides of the request.
// https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_RestoreTableFromBackup.html

#pragma once

#include "dolmen/create_table.h"
#include "dolmen/health.h"
#include "dolmen/result.h"
#include "wire/json.h"
#include "wire/operation.h"

namespace dolmen::wire {

// Reads the target of a restore of `source`. The target keeps the billing and the encryption of the
// source, and its annotations that are not Dolmen's. It does not keep tags and the table class.
// - kValidation: an index override or a billing override is invalid.
Result<RestoreTarget> ReadTarget(const Context& context, const JsonObject& request,
                                 const TableDescription& source);

}  // namespace dolmen::wire
