#include "engine/storage/free_space.h"

namespace dolmen::engine {

Status FreeSpace::Check(std::size_t bytes) {
  const std::size_t since = bytes_since_question_.fetch_add(bytes, std::memory_order_relaxed);
  if (since + bytes < kBytesBetweenQuestions) return {};
  std::uint64_t free = 0;
  const rocksdb::IOStatus asked =
      file_system_->GetFreeSpace(directory_, rocksdb::IOOptions(), &free, nullptr);
  if (asked.IsPathNotFound() || asked.IsNotFound()) {
    return Status::Storage("writing: the directory " + directory_ + " is gone");
  }
  if (asked.ok() && free < reserve_bytes_ + kBytesBetweenQuestions + bytes) {
    return Status::Storage("writing: the disk is full: free some space and retry");
  }
  bytes_since_question_.store(bytes, std::memory_order_relaxed);
  return {};
}

}  // namespace dolmen::engine
