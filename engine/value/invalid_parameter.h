// DynamoDB's words for a value that no operation takes.

#pragma once

#include <string>
#include <string_view>

#include "dolmen/status.h"

namespace dolmen::engine {

inline Status InvalidParameter(std::string_view what) {
  return Status::Validation(
      std::string("One or more parameter values were invalid: ").append(what));
}

}  // namespace dolmen::engine
