// The check of a request's constraints.

#pragma once

#include <string>

#include "wire/json.h"
#include "wire/shape.h"

namespace dolmen::wire {

// Checks the constraints of `json`, a structure whose JSON types have been checked. Returns an
// empty string, or DynamoDB's message "2 validation errors detected: ...", which names ten
// violations at most.
std::string CheckConstraints(const Shape& shape, const Json& json);

}  // namespace dolmen::wire
