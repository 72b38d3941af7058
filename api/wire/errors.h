// Errors as DynamoDB sends them.

#pragma once

#include <string_view>

#include "dolmen/status.h"
#include "dolmen/wire.h"

namespace dolmen::wire {

inline constexpr std::string_view kInvalidParameter = "One or more parameter values were invalid: ";
// kValidation: that, and what.
Status InvalidParameter(std::string_view what);

// Each replaces what `response` holds.

// The exception that the status stands for; of kStorage, kCorruption and kUnsupportedFormat, which
// no request is to blame for, InternalServerError.  REQUIRES: !status.ok()
void SetError(const Status& status, EndpointResponse* response);

// What is no JSON, or has members of another type.  Without a message there is none in the JSON.
void SetSerializationError(std::string_view message, EndpointResponse* response);

// The operation is not known.
void SetUnknownOperation(EndpointResponse* response);

}  // namespace dolmen::wire
