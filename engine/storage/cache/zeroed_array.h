// An array of atomic numbers or pointers that begin as 0.

#pragma once

#include <cstddef>
#include <cstdlib>
#include <memory>
#include <new>
#include <type_traits>

namespace dolmen::engine {

// An array of a fixed number of atomics. A vector would write each of them when it is created. This
// array gets memory that is zero already, and the system provides the pages of this memory when they
// are used first. So a small database with a large cache opens fast. The array itself does not
// change; T makes its elements thread-safe.
template <typename T>
class ZeroedArray {
 public:
  // Throws std::bad_alloc if memory is missing, as a vector does.
  explicit ZeroedArray(std::size_t size)
      : size_(size), elements_(static_cast<T*>(std::calloc(size, sizeof(T)))) {
    if (elements_ == nullptr) throw std::bad_alloc();
  }

  std::size_t size() const { return size_; }
  T& operator[](std::size_t i) { return elements_.get()[i]; }
  const T& operator[](std::size_t i) const { return elements_.get()[i]; }

 private:
  using Value = typename T::value_type;
  // Bytes of 0 are an atomic of the value 0, or of the null pointer.
  static_assert(std::is_integral_v<Value> || std::is_pointer_v<Value>);
  static_assert(sizeof(T) == sizeof(Value) && std::is_trivially_destructible_v<T>);

  struct Free {
    void operator()(T* elements) const { std::free(elements); }
  };

  const std::size_t size_;
  const std::unique_ptr<T, Free> elements_;
};

}  // namespace dolmen::engine
