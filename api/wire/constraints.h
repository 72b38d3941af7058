// The check of a request's JSON types and constraints.

#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "wire/json.h"
#include "wire/shape.h"

namespace dolmen::wire {

// DynamoDB's messages about a request. At most one of them is set.
struct Faults {
  std::string type = {};         // of a SerializationException; empty: all JSON types are right
  std::string constraints = {};  // of a ValidationException; empty: all constraints hold
};

// Checks the JSON types of the value and of all values in it, and the constraints. The message
// about constraints, "2 validation errors detected: ...", names ten violations at most. If `older` is not null and the
// value lacks the last member of this shape or has a ParserFault, the message has the order and the words of `older`.
Faults Check(const Shape& shape, const Json& json, const Shape* older = nullptr);

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
