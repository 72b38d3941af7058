// Errors of the service's front end, which checks a request before its operation is run.

#pragma once

#include <string>
#include <string_view>

#include "dolmen/result.h"

namespace dolmen::server {

// Returns {"__type":"com.amazon.coral.service#NAME","message":"MESSAGE"}. Replaces bytes of
// `message` that are not printable ASCII by "?".
std::string CoralError(std::string_view name, std::string_view message);

// Returns a kValidation error whose message is CoralError(name, message), the body of the response.
Status CoralStatus(std::string_view name, std::string_view message);

}  // namespace dolmen::server
