// Access to results in tests that need the value to continue.

#pragma once

#include <stdexcept>
#include <utility>

#include "dolmen/result.h"

namespace dolmen::test {

// Returns the value. Throws, which ends the test, if the result is an error.
template <typename T>
T Value(Result<T> result) {
  if (!result.ok()) throw std::runtime_error(result.status().ToString());
  return *std::move(result);
}

}  // namespace dolmen::test
