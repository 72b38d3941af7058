// The memory that a PinnedRows owns. This header is not installed.

#pragma once

#include <atomic>
#include <cstdint>

namespace dolmen::internal {

// Immutable rows with a count of their owners. The last owner deletes them. Thread-safe.
class SharedRows {
 public:
  SharedRows(const SharedRows&) = delete;
  SharedRows& operator=(const SharedRows&) = delete;

  void Acquire() const { owners_.fetch_add(1, std::memory_order_relaxed); }
  void Release() const {
    if (owners_.fetch_sub(1, std::memory_order_acq_rel) == 1) delete this;
  }

 protected:
  SharedRows() = default;
  virtual ~SharedRows() = default;

 private:
  mutable std::atomic<std::uint32_t> owners_ = 0;
};

}  // namespace dolmen::internal
