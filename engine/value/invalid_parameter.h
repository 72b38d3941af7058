// DynamoDB's message for an invalid parameter value.

#pragma once

#include <string>
#include <string_view>

#include "dolmen/result.h"

namespace dolmen::engine {

// The error of a Number without a stored form, which a program has made from a double.
inline constexpr std::string_view kInvalidDouble =
    "A double is not a number in DynamoDB's range (NaN, infinite, too large or too small)";

// The errors of an empty set, in DynamoDB's spelling.
inline constexpr std::string_view kEmptyStringSet = "An string set  may not be empty";
inline constexpr std::string_view kEmptyNumberSet = "An number set  may not be empty";
inline constexpr std::string_view kEmptyBinarySet = "Binary sets should not be empty";

// Returns a kValidation. The message is DynamoDB's prefix for invalid parameter values, then
// `what`.
inline Status InvalidParameter(std::string_view what) {
  return Status::Validation(
      std::string("One or more parameter values were invalid: ").append(what));
}

}  // namespace dolmen::engine
