// Errors that are said before an operation is: the front end's, not DynamoDB's own.

#pragma once

#include <string>
#include <string_view>

namespace dolmen::server {

// {"__type":"com.amazon.coral.service#NAME","message":"MESSAGE"}, whatever bytes the message has.
std::string CoralError(std::string_view name, std::string_view message);

}  // namespace dolmen::server
