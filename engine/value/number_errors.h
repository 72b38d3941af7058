// DynamoDB's messages about the text of a number.

#pragma once

#include <string>
#include <string_view>
#include <utility>

#include "dolmen/result.h"

namespace dolmen::engine {

// Returns the error of a text that is no number. An empty text is not repeated in the message.
inline Status NotANumber(std::string_view text) {
  std::string message = "The parameter cannot be converted to a numeric value";
  if (!text.empty()) message.append(": ").append(text);
  return Status::Validation(std::move(message));
}

inline Status NumberOverflow() {
  return Status::Validation(
      "Number overflow. Attempting to store a number with magnitude larger than supported range");
}

inline Status NumberUnderflow() {
  return Status::Validation(
      "Number underflow. Attempting to store a number with magnitude smaller than supported range");
}

inline Status TooManyDigits() {
  return Status::Validation("Attempting to store more than 38 significant digits in a Number");
}

}  // namespace dolmen::engine
