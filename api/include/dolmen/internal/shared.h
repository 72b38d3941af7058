// A shared owner, like std::shared_ptr. The public headers use it instead of std::shared_ptr,
// because <memory> would add 13,000 lines to each source that includes dolmen.h.

#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <utility>

namespace dolmen::internal {

// The number of owners of one object, and the function that destroys both.
struct SharedCount {
  std::uint32_t owners = 1;  // read and written atomically
  void (*destroy)(SharedCount* count) noexcept = nullptr;
};

// Adds or removes one owner. RemoveOwner destroys the object after the last owner. Thread-safe.
void AddOwner(SharedCount* count) noexcept;
void RemoveOwner(SharedCount* count) noexcept;

// Returns true if the object has one owner. The caller, which is that owner, then sees everything
// that former owners have done with the object.
bool HasOneOwner(const SharedCount* count) noexcept;

// One of the owners of a T, or null. Different threads may use different owners of the same object.
// Threads that share one owner must not change the owner concurrently.
template <typename T>
class Shared {
 public:
  Shared() = default;
  Shared(std::nullptr_t) {}

  Shared(const Shared& other) noexcept : value_(other.value_), count_(other.count_) { Add(); }
  Shared(Shared&& other) noexcept
      : value_(std::exchange(other.value_, nullptr)),
        count_(std::exchange(other.count_, nullptr)) {}

  // Convert from an owner of a derived type.
  template <typename U>
    requires(std::convertible_to<U*, T*> && !std::same_as<U, T>)
  Shared(const Shared<U>& other) noexcept : value_(other.value_), count_(other.count_) {
    Add();
  }

  // Takes over any other smart pointer, for example a std::shared_ptr.
  template <typename Pointer>
    requires requires(const Pointer& pointer) {
      { pointer.get() } -> std::convertible_to<T*>;
      typename Pointer::element_type;
      requires !std::is_same_v<Pointer, Shared<typename Pointer::element_type>>;
    }
  Shared(Pointer pointer) : value_(pointer.get()) {
    if (value_ != nullptr)
      count_ = new Cell<Pointer>{{.destroy = &Destroy<Pointer>}, std::move(pointer)};
  }

  Shared& operator=(Shared other) noexcept {
    std::swap(value_, other.value_);
    std::swap(count_, other.count_);
    return *this;
  }
  ~Shared() {
    if (count_ != nullptr) RemoveOwner(count_);
  }

  // Makes an object and its first owner.
  template <typename... Arguments>
  static Shared Make(Arguments&&... arguments) {
    using Object = std::remove_const_t<T>;
    auto* cell = new Cell<Object>{{.destroy = &Destroy<Object>},
                                  Object(std::forward<Arguments>(arguments)...)};
    Shared shared;
    shared.value_ = &cell->object;
    shared.count_ = cell;
    return shared;
  }

  using element_type = T;
  T* get() const { return value_; }
  T& operator*() const { return *value_; }
  T* operator->() const { return value_; }
  explicit operator bool() const { return value_ != nullptr; }

  // Returns true if this is the only owner. REQUIRES: not null.
  bool IsOnlyOwner() const { return HasOneOwner(count_); }

  friend bool operator==(const Shared& a, const Shared& b) { return a.value_ == b.value_; }
  friend bool operator==(const Shared& a, std::nullptr_t) { return a.value_ == nullptr; }

 private:
  template <typename U>
  friend class Shared;

  template <typename Object>
  struct Cell : SharedCount {
    Object object;
  };
  template <typename Object>
  static void Destroy(SharedCount* count) noexcept {
    delete static_cast<Cell<Object>*>(count);
  }

  void Add() const {
    if (count_ != nullptr) AddOwner(count_);
  }

  T* value_ = nullptr;
  SharedCount* count_ = nullptr;
};

}  // namespace dolmen::internal
