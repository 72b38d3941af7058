// The list of DynamoDB's operations.

#pragma once

#include <string_view>

#include "wire/operation.h"

namespace dolmen::wire {

// Returns the operation with the given name, or null if it does not exist.
const Operation* FindOperation(std::string_view name);

// Returns true if the operation with the given name exists and may take seconds
// (Operation::is_long).
bool IsLong(std::string_view name);

}  // namespace dolmen::wire
