#include "engine/storage/files/free_space.h"

#include "dolmen/internal/status_macros.h"

namespace dolmen::engine {

Status FreeSpace::Check(std::size_t bytes) {
  const std::size_t bytes_since_check =
      bytes_since_check_.fetch_add(bytes, std::memory_order_relaxed);
  if (bytes_since_check + bytes < kBytesBetweenChecks) return {};
  DOLMEN_RETURN_IF_ERROR(Query(bytes));
  bytes_since_check_.store(bytes, std::memory_order_relaxed);
  return {};
}

Status FreeSpace::Query(std::size_t bytes) const {
  std::uint64_t free = 0;
  const rocksdb::IOStatus queried =
      file_system_->GetFreeSpace(directory_, rocksdb::IOOptions(), &free, nullptr);
  if (queried.IsPathNotFound() || queried.IsNotFound()) {
    return Status::Storage("writing: the directory " + directory_ + " does not exist any more");
  }
  if (queried.ok() && free < reserve_bytes_ + kBytesBetweenChecks + bytes) {
    return Status::Storage("writing: the disk is full: free some space and retry");
  }
  return {};
}

}  // namespace dolmen::engine
