// DynamoDB's messages for violated constraints of its API's model, and the count in front of the errors of a request.

#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "dolmen/result.h"

namespace dolmen::engine {

// Returns "Value 'x' at 'tableName' failed to satisfy constraint: Member must ...".
std::string Violation(std::string_view value, std::string_view place, std::string_view constraint);
// Returns "Value at 'Limit' failed to satisfy constraint: Member must ...".
std::string UnquotedViolation(std::string_view place, std::string_view constraint);
// Returns the violation for a null in a place that must not have one.
std::string NullViolation(std::string_view place);

// Returns the constraint "Member must have length greater than or equal to 3". `what` is "length" or "value".
std::string AtLeast(std::string_view what, std::int64_t limit);
// Returns the constraint "Member must have length less than or equal to 255".
std::string AtMost(std::string_view what, std::int64_t limit);
// Returns the constraint "Member must satisfy regular expression pattern: ...".
std::string MustMatch(std::string_view pattern);

// Returns the message that lists the errors of a request: "2 validation errors detected: ...". Returns an empty
// string if there are none.
std::string Detected(const std::vector<std::string>& errors);

// Returns a kValidation with the message for one error.
Status DetectedOne(std::string_view error);

// Returns ok if the number is from `min` to `max`. `place` names the number in the message.
// - kValidation: the number is less or more.
Status CheckRange(std::int64_t number, std::string_view place, std::int64_t min, std::int64_t max);

// Returns ok if a list has `min` to `max` elements. `place` names the list. DynamoDB's message for some lists contains
// the text of the list. This message does not, because the engine does not have the text of the request.
// - kValidation: the list is shorter or longer.
Status CheckLength(std::size_t count, std::string_view place, std::size_t min, std::size_t max);

}  // namespace dolmen::engine
