// A check that rejects writes before the disk is full, or a limit of the process is reached.

#pragma once

#include <rocksdb/file_system.h>

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>

#include "dolmen/result.h"

namespace dolmen::engine {

// A check of the free space in a store's file system, and of the limits of its process. A store whose
// files cannot grow is read-only until the store is reopened (store.h). This check rejects writes
// before. The store then accepts writes again as soon as enough space is free, or the limit is
// raised. Callable from any number of threads.
class FreeSpace {
 public:
  // `buffer_bytes` is the size of a write buffer of the store, `table_bytes` that of its largest table
  // files.
  FreeSpace(std::shared_ptr<rocksdb::FileSystem> file_system, std::string directory,
            std::size_t buffer_bytes, std::size_t table_bytes)
      : file_system_(std::move(file_system)),
        directory_(std::move(directory)),
        buffer_bytes_(buffer_bytes),
        file_bytes_(2 * std::max(buffer_bytes, table_bytes) + kLargestEntryBytes) {}

  // Checks that the reserve stays free if `bytes` bytes are written, and counts these bytes as
  // written. While there is enough space, queries the file system only once per
  // kBytesBetweenChecks, and looks for descriptors eight times per buffer.
  //
  // The reserve is the space to flush both write buffers. A write that only deletes data needs a
  // smaller reserve, the space to flush one buffer: when a buffer is flushed its log is deleted,
  // which frees the space to flush the other buffer.
  // - kStorage: less than the reserve would stay free, or the directory does not exist any more, or the
  //   process may not write files as large as the store's, or cannot open some files more.
  Status Check(std::size_t bytes, bool only_deletes);
  // Checks the same as Check, but always queries the file system, and counts nothing. Returns false
  // if only the smaller reserve stays free, which is enough for deletes.
  Result<bool> Query(std::size_t bytes, bool only_deletes) const;
  // Checks that the process may write files as large as the store's, and can open some files more. For
  // a flush that is no part of a write.
  // - kStorage: a limit is reached.
  Status CheckLimits() const;

  // Returns the size of a write buffer for a store in `directory`: `wanted`, or less if the volume
  // is small, or the files of the process must be. Returns `wanted` if the file system does not
  // report its space.
  static std::size_t BufferBytesFor(rocksdb::FileSystem* file_system, const std::string& directory,
                                    std::size_t wanted);

 private:
  // Checks that the process may write files as large as the store's. The log may have `bytes` more.
  Status CheckFileSize(std::size_t bytes) const;

  static constexpr std::size_t kBytesBetweenChecks = std::size_t{1} << 20;
  // A file exceeds its size by its last entry. The largest entries are items of 400 KB.
  static constexpr std::size_t kLargestEntryBytes = std::size_t{512} << 10;

  const std::shared_ptr<rocksdb::FileSystem> file_system_;
  const std::string directory_;
  const std::size_t buffer_bytes_;
  const std::size_t file_bytes_;  // the size that no file of the store exceeds
  // The bytes that were written since descriptors were last found.
  std::atomic<std::size_t> bytes_since_descriptors_ = SIZE_MAX / 2;
  // The bytes that were written since the last query of the file system. Because of the initial
  // value, the first Check() queries the file system.
  std::atomic<std::size_t> bytes_since_check_ = kBytesBetweenChecks;
};

}  // namespace dolmen::engine
