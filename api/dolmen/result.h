// Result<T>: a value of type T, or the Status that says why there is none.

#pragma once

#include <cassert>
#include <utility>
#include <variant>

#include "dolmen/status.h"

namespace dolmen {

// Thread safety is T's.  Reading the value of a failed Result is a bug of the caller: it is
// asserted in debug builds and undefined otherwise, so test ok() first.
template <typename T>
class [[nodiscard]] Result {
 public:
  // REQUIRES: !status.ok()
  Result(Status status) : state_(std::move(status)) {  // NOLINT(google-explicit-constructor)
    assert(!std::get<Status>(state_).ok());
  }
  Result(T value) : state_(std::move(value)) {}  // NOLINT(google-explicit-constructor)

  bool ok() const { return std::holds_alternative<T>(state_); }
  explicit operator bool() const { return ok(); }

  // The error; success if there is a value.
  Status status() const { return ok() ? Status() : *std::get_if<Status>(&state_); }

  // The value.  REQUIRES: ok()
  const T& operator*() const& DOLMEN_LIFETIME_BOUND { return Get(); }
  T& operator*() & DOLMEN_LIFETIME_BOUND { return Get(); }
  T&& operator*() && DOLMEN_LIFETIME_BOUND { return std::move(Get()); }
  const T* operator->() const DOLMEN_LIFETIME_BOUND { return &Get(); }
  T* operator->() DOLMEN_LIFETIME_BOUND { return &Get(); }

 private:
  T& Get() {
    assert(ok());
    return *std::get_if<T>(&state_);
  }
  const T& Get() const {
    assert(ok());
    return *std::get_if<T>(&state_);
  }

  std::variant<Status, T> state_;
};

}  // namespace dolmen
