// For tests that go on with what a call has returned.

#pragma once

#include <stdexcept>
#include <utility>

#include "dolmen/result.h"

namespace dolmen::test {

// The value; ends the test if there is none.
template <typename T>
T Value(Result<T> result) {
  if (!result.ok()) throw std::runtime_error(result.status().ToString());
  return *std::move(result);
}

}  // namespace dolmen::test
