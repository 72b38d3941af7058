// A value, or the Status that says why there is no value. No function of the API throws, except std::bad_alloc if no
// memory is left: every call that can fail returns a Status (status.h) or a Result.

#pragma once

#include "dolmen/internal/hide_macros.h"

#include <concepts>
#include <new>
#include <type_traits>
#include <utility>

#include "dolmen/internal/lifetime.h"
#include "dolmen/status.h"

namespace dolmen {

namespace internal {
// Prints that a program has read the value of a failed Result, with its error, and aborts.
[[noreturn]] void DieOfMissingValue(const Status& status);
// Prints that a program has made a Result of a successful Status, and aborts.
[[noreturn]] void DieOfResultWithoutValue();
}  // namespace internal

// A value of type T, or the Status that says why there is no value. The compiler warns if the
// caller drops it.
//
//   Result<Table> table = db.OpenTable("app");
//   if (!table.ok()) return table.status();
//   const auto put = table->PutItem(...);
//
//   Table app = *std::move(table);  // moves the value out
//
// Test ok() before reading the value. If a program reads the value of a failed Result, Dolmen
// prints the error to stderr and calls std::abort(), in every build type.
//
// Copying and moving a Result copies and moves its T. It is as thread-safe as T is.
template <typename T>
class [[nodiscard]] Result {
 public:
  using value_type = T;

  // Makes a failed Result. Implicit, so that a function can `return status;`.
  // REQUIRES: !status.ok()
  Result(Status status) : status_(std::move(status)) {  // NOLINT(google-explicit-constructor)
    if (status_.ok()) internal::DieOfResultWithoutValue();
  }

  // Makes a successful Result. Implicit, so that a function can `return value;`.
  Result(T value)  // NOLINT(google-explicit-constructor)
      : has_value_(true), value_(std::move(value)) {}

  Result(const Result& other)
    requires std::copy_constructible<T>
      : status_(other.status_), has_value_(other.has_value_) {
    if (has_value_) new (static_cast<void*>(&value_)) T(other.value_);
  }
  Result(Result&& other) noexcept(std::is_nothrow_move_constructible_v<T>)
      : status_(std::move(other.status_)), has_value_(other.has_value_) {
    if (has_value_) new (static_cast<void*>(&value_)) T(std::move(other.value_));
  }
  Result& operator=(Result other) noexcept(std::is_nothrow_move_constructible_v<T>) {
    this->~Result();
    return *new (static_cast<void*>(this)) Result(std::move(other));
  }
  ~Result() {
    if (has_value_) value_.~T();
  }

  // Returns true if there is a value.
  bool ok() const { return has_value_; }
  explicit operator bool() const { return ok(); }

  // Returns the error, or success if there is a value. The reference is valid until the Result is
  // assigned to, moved from or destroyed. A temporary Result returns a Status of its own.
  const Status& status() const& DOLMEN_LIFETIME_BOUND { return status_; }
  Status status() && { return std::move(status_); }

  // Access the value. REQUIRES: ok()
  // References are valid until the Result is assigned to, moved from or destroyed. A temporary
  // Result, or std::move(result), returns the value itself, so this loop is safe:
  //   for (ItemView item : *table.Query(...))
  // `->` on a temporary Result is valid only to the end of the statement. Do not loop over
  // `db.ListTables()->table_names`.
  const T& operator*() const& DOLMEN_LIFETIME_BOUND { return Get(); }
  T& operator*() & DOLMEN_LIFETIME_BOUND { return Get(); }
  T operator*() && { return std::move(Get()); }
  const T* operator->() const DOLMEN_LIFETIME_BOUND { return &Get(); }
  T* operator->() DOLMEN_LIFETIME_BOUND { return &Get(); }

  // Returns the value, or `other` if there is no value.
  template <typename U>
  T value_or(U&& other) const& {
    return ok() ? value_ : static_cast<T>(std::forward<U>(other));
  }
  template <typename U>
  T value_or(U&& other) && {
    return ok() ? std::move(value_) : static_cast<T>(std::forward<U>(other));
  }

  // Calls `f` with the value and returns the Result or the Status that `f` returns. Without a value
  // it returns the error and does not call `f`.
  template <typename F>
  auto and_then(F&& f) const& -> std::invoke_result_t<F, const T&> {
    if (!ok()) return status_;
    return std::forward<F>(f)(value_);
  }
  template <typename F>
  auto and_then(F&& f) && -> std::invoke_result_t<F, T> {
    if (!ok()) return std::move(status_);
    return std::forward<F>(f)(std::move(value_));
  }

  // Calls `f` with the value and returns a Result of what `f` returns. Without a value it returns
  // the error and does not call `f`.
  template <typename F>
  auto transform(F&& f) const& -> Result<std::invoke_result_t<F, const T&>> {
    if (!ok()) return status_;
    return std::forward<F>(f)(value_);
  }
  template <typename F>
  auto transform(F&& f) && -> Result<std::invoke_result_t<F, T>> {
    if (!ok()) return std::move(status_);
    return std::forward<F>(f)(std::move(value_));
  }

 private:
  T& Get() {
    if (!ok()) internal::DieOfMissingValue(status_);
    return value_;
  }
  const T& Get() const {
    if (!ok()) internal::DieOfMissingValue(status_);
    return value_;
  }

  Status status_;           // a success if there is a value
  bool has_value_ = false;  // false if status_ is an error
  // Not a std::optional, because a program compiles 60 functions for each type of an optional.
  union {
    T value_;
  };
};

}  // namespace dolmen

#include "dolmen/internal/show_macros.h"
