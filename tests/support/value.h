// Access to the values of results, for tests that cannot continue without the value.

#pragma once

#include <stdexcept>
#include <utility>

#include "dolmen/result.h"

namespace dolmen::test {

// Returns the value. If the result is an error, throws an exception, which ends the test as a
// failure.
template <typename T>
T Value(Result<T> result) {
  if (!result.ok()) throw std::runtime_error(result.status().ToString());
  return *std::move(result);
}

}  // namespace dolmen::test
