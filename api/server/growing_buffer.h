// The buffer of a request that arrives in pieces.

#pragma once

#include <cstddef>
#include <string_view>
#include <utility>

namespace dolmen::server {

// Bytes that grow at their end. Unlike a std::string, a large buffer grows without a copy, because realloc moves
// the pages of a large block. A copy of 8 MiB would keep the clients of a worker waiting for milliseconds. Not
// thread-safe.
class GrowingBuffer {
 public:
  GrowingBuffer() = default;
  explicit GrowingBuffer(std::string_view bytes) { Append(bytes); }
  ~GrowingBuffer();
  GrowingBuffer(GrowingBuffer&& other) noexcept { Swap(other); }
  GrowingBuffer& operator=(GrowingBuffer&& other) noexcept {
    GrowingBuffer(std::move(other)).Swap(*this);
    return *this;
  }

  std::string_view view() const { return {data_, size_}; }
  std::size_t size() const { return size_; }
  std::size_t capacity() const { return capacity_; }
  bool empty() const { return size_ == 0; }

  // Appends bytes, which are not in this buffer. Doubles the capacity if it is too small.
  void Append(std::string_view bytes);
  // Raises the capacity to `bytes`. Throws std::bad_alloc if no memory is left.
  void Reserve(std::size_t bytes);
  // Removes bytes at the end, or at the beginning, and keeps the capacity.
  // REQUIRES: the buffer has as many bytes.
  void Truncate(std::size_t size) { size_ = size; }
  void RemovePrefix(std::size_t count);

 private:
  void Swap(GrowingBuffer& other) noexcept {
    std::swap(data_, other.data_);
    std::swap(size_, other.size_);
    std::swap(capacity_, other.capacity_);
  }

  char* data_ = nullptr;
  std::size_t size_ = 0;
  std::size_t capacity_ = 0;
};

}  // namespace dolmen::server
