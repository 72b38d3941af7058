// The error of an operation that a service does not have.

#pragma once

#include <string_view>

#include "dolmen/result.h"

namespace dolmen::remote {

// Returns kUnknownOperation. The message names the service's URL and the operation, and says what to do
// instead. `operation` is a name such as "GetItem" or "GetRecords".
Status MissingOperation(std::string_view url, std::string_view operation);

}  // namespace dolmen::remote
