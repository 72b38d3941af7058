#include "server/growing_buffer.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <new>

namespace dolmen::server {

GrowingBuffer::~GrowingBuffer() { std::free(data_); }

void GrowingBuffer::Append(std::string_view bytes) {
  if (bytes.empty()) return;
  if (size_ + bytes.size() > capacity_) Reserve(std::max(size_ + bytes.size(), 2 * capacity_));
  std::memcpy(data_ + size_, bytes.data(), bytes.size());
  size_ += bytes.size();
}

void GrowingBuffer::Reserve(std::size_t bytes) {
  if (bytes <= capacity_) return;
  void* const grown = std::realloc(data_, bytes);
  if (grown == nullptr) throw std::bad_alloc();
  data_ = static_cast<char*>(grown);
  capacity_ = bytes;
}

void GrowingBuffer::RemovePrefix(std::size_t count) {
  if (count == 0) return;
  size_ -= count;
  std::memmove(data_, data_ + count, size_);
}

}  // namespace dolmen::server
