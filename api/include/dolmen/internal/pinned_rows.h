// An owner of cached rows. A page of cached items holds the memory of its items with it.

#pragma once

#include <utility>

namespace dolmen::internal {

class SharedRows;  // engine/storage/cache/stretch.h

// An owner of shared rows, or of nothing. A value type.
class PinnedRows {
 public:
  PinnedRows() = default;
  explicit PinnedRows(const SharedRows* rows);
  PinnedRows(const PinnedRows& other) : PinnedRows(other.rows_) {}
  PinnedRows(PinnedRows&& other) noexcept : rows_(std::exchange(other.rows_, nullptr)) {}
  PinnedRows& operator=(PinnedRows other) noexcept {
    std::swap(rows_, other.rows_);
    return *this;
  }
  ~PinnedRows() {
    if (rows_ != nullptr) Release();
  }

  explicit operator bool() const { return rows_ != nullptr; }

 private:
  void Release();

  const SharedRows* rows_ = nullptr;
};

}  // namespace dolmen::internal
