// The check of a request's JSON types.

#pragma once

#include <string>

#include "wire/json.h"
#include "wire/shape.h"

namespace dolmen::wire {

// Checks the JSON types of the value and of all values in it. Returns an empty string, or
// DynamoDB's message for a SerializationException.
std::string CheckTypes(const Shape& shape, const Json& json);

}  // namespace dolmen::wire
