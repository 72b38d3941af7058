// The check of a request's JSON types and constraints.

#pragma once

#include <string>
#include <string_view>

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

}  // namespace dolmen::wire
