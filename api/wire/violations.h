// Constraints that a request breaks, in DynamoDB's words.
// https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/CommonErrors.html

#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace dolmen::wire {

// "Value 'x' at 'tableName' failed to satisfy constraint: Member must ...".
std::string Violation(std::string_view value, std::string_view place, std::string_view constraint);
// The same of a null, which the place must not have.
std::string NullViolation(std::string_view place);

// "Member must satisfy regular expression pattern: ...", a constraint.
std::string MustMatch(std::string_view pattern);

// "2 validation errors detected: ...", the message that names them; empty if there are none.
std::string Detected(const std::vector<std::string>& violations);

}  // namespace dolmen::wire
