// A value of type T, or the Status that says why there is no value.
//
//   Result<Table> table = db.OpenTable("app");
//   if (!table.ok()) return table.status();
//   table->PutItem(...);
//
//   Table app = *std::move(table);  // moves the value out

#pragma once

#include <cassert>
#include <utility>
#include <variant>

#include "dolmen/status.h"

namespace dolmen {

// The outcome of a call that returns a T if it succeeds. The compiler warns if the caller drops
// it.
//
// Test ok() before reading the value. Reading the value of a failed Result is a bug of the caller:
// an assertion fails in a debug build, and the behaviour is undefined in a release build.
//
// Copying and moving a Result copies and moves its T. It is as thread-safe as T is.
template <typename T>
class [[nodiscard]] Result {
 public:
  // Makes a failed Result. Implicit, so that a function can `return status;`.
  // REQUIRES: !status.ok()
  Result(Status status) : state_(std::move(status)) {  // NOLINT(google-explicit-constructor)
    assert(!std::get<Status>(state_).ok());
  }

  // Makes a successful Result. Implicit, so that a function can `return value;`.
  Result(T value) : state_(std::move(value)) {}  // NOLINT(google-explicit-constructor)

  // Returns true if there is a value.
  bool ok() const { return std::holds_alternative<T>(state_); }
  explicit operator bool() const { return ok(); }

  // Returns the error, or success if there is a value. The returned Status stays valid after the
  // Result is destroyed.
  Status status() const { return ok() ? Status() : *std::get_if<Status>(&state_); }

  // Access the value. REQUIRES: ok()
  // References are valid until the Result is assigned to, moved from or destroyed. On a temporary
  // or with std::move(result), the value can be moved out.
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
