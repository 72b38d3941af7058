// DynamoDB's messages about constraints that a request violates.
// https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/CommonErrors.html

#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace dolmen::wire {

// Returns "Value 'x' at 'tableName' failed to satisfy constraint: Member must ...".
std::string Violation(std::string_view value, std::string_view place, std::string_view constraint);
// Returns "Value at 'Limit' failed to satisfy constraint: Member must ...".
std::string UnquotedViolation(std::string_view place, std::string_view constraint);
// Returns the violation for a null in a place that must not have one.
std::string NullViolation(std::string_view place);

// Returns the constraint "Member must satisfy regular expression pattern: ...".
std::string MustMatch(std::string_view pattern);

// Returns the message that lists the violations, "2 validation errors detected: ...". Returns an
// empty string if there are none.
std::string Detected(const std::vector<std::string>& violations);

}  // namespace dolmen::wire
