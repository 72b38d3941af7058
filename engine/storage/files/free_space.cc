#include "engine/storage/files/free_space.h"

#include <rocksdb/env.h>

#include <algorithm>
#include <vector>

#include "engine/base/status_macros.h"
#include "engine/storage/files/process_limits.h"

namespace dolmen::engine {
namespace {

// The available space divided by the size of a write buffer is at least this number. RocksDB may
// need the space of eight buffers at a time: two logs, the reserve, and a small compaction.
constexpr std::uint64_t kBuffersPerVolume = 16;
constexpr std::uint64_t kBufferBytesMin = 256 << 10;
// The space for a new log (options.cc), the manifest and the other small files.
constexpr std::uint64_t kSmallFilesBytes = 1 << 20;
// The files that a flush and a compaction of few files open.
constexpr int kDescriptors = 16;
// A process must be able to write files of this many buffers.
constexpr std::uint64_t kBuffersPerFile = 8;

}  // namespace

Status FreeSpace::Check(std::size_t bytes, bool only_deletes) {
  DOLMEN_RETURN_IF_ERROR(CheckFileSize(bytes));
  const std::size_t bytes_since_descriptors =
      bytes_since_descriptors_.fetch_add(bytes, std::memory_order_relaxed);
  if (bytes_since_descriptors + bytes >= buffer_bytes_ / 8) {
    DOLMEN_RETURN_IF_ERROR(CheckDescriptors(kDescriptors));
    bytes_since_descriptors_.store(bytes, std::memory_order_relaxed);
  }
  const std::size_t bytes_since_check =
      bytes_since_check_.fetch_add(bytes, std::memory_order_relaxed);
  if (bytes_since_check + bytes < kBytesBetweenChecks) return {};
  DOLMEN_ASSIGN_OR_RETURN(const bool has_reserve, Query(bytes, only_deletes));
  // If the reserve is not free, the next write queries the file system again.
  if (has_reserve) bytes_since_check_.store(bytes, std::memory_order_relaxed);
  return {};
}

Status FreeSpace::CheckLimits() const {
  DOLMEN_RETURN_IF_ERROR(CheckFileSize(0));
  return CheckDescriptors(kDescriptors);
}

Status FreeSpace::CheckFileSize(std::size_t bytes) const {
  return CheckFileBytes("writing: a file of the database", file_bytes_ + bytes);
}

Result<bool> FreeSpace::Query(std::size_t bytes, bool only_deletes) const {
  DOLMEN_RETURN_IF_ERROR(CheckLimits());
  std::uint64_t free = 0;
  const rocksdb::IOStatus queried =
      file_system_->GetFreeSpace(directory_, rocksdb::IOOptions(), &free, nullptr);
  if (queried.IsPathNotFound() || queried.IsNotFound()) {
    return Status::Storage("writing: the directory " + directory_ + " does not exist any more");
  }
  const std::uint64_t to_delete = buffer_bytes_ + kSmallFilesBytes + bytes;
  if (!queried.ok() || free >= to_delete + buffer_bytes_ + kBytesBetweenChecks) return true;
  if (only_deletes && free >= to_delete) return false;
  return Status::Storage(
      only_deletes ? "deleting: the disk is full: free some space and retry"
                   : "writing: the disk is full: free some space and retry; items and tables can "
                     "still be deleted");
}

std::size_t FreeSpace::BufferBytesFor(rocksdb::FileSystem* file_system,
                                      const std::string& directory, std::size_t wanted) {
  wanted =
      std::min<std::uint64_t>(wanted, std::max(FileBytesMax() / kBuffersPerFile, kBufferBytesMin));
  std::uint64_t available = 0;
  if (!file_system->GetFreeSpace(directory, {}, &available, nullptr).ok()) return wanted;
  std::vector<rocksdb::Env::FileAttributes> files;
  file_system->GetChildrenFileAttributes(directory, {}, &files, nullptr).PermitUncheckedError();
  for (const rocksdb::Env::FileAttributes& file : files) available += file.size_bytes;
  return std::min<std::uint64_t>(wanted, std::max(available / kBuffersPerVolume, kBufferBytesMin));
}

}  // namespace dolmen::engine
