// DynamoDB's message for an invalid parameter value.

#pragma once

#include <string>
#include <string_view>

#include "dolmen/result.h"

namespace dolmen::engine {

// Returns a kValidation. The message is DynamoDB's prefix for invalid parameter values, then
// `what`.
inline Status InvalidParameter(std::string_view what) {
  return Status::Validation(
      std::string("One or more parameter values were invalid: ").append(what));
}

}  // namespace dolmen::engine
