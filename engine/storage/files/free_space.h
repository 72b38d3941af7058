// A check that rejects writes before the disk is full.

#pragma once

#include <rocksdb/file_system.h>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>

#include "dolmen/result.h"

namespace dolmen::engine {

// A check of the free space in a store's file system. A store whose disk becomes full is read-only
// until the store is reopened (store.h). This check rejects writes before the disk is full. The
// store then accepts writes again as soon as enough space is free. Callable from any number of
// threads.
class FreeSpace {
 public:
  // `reserve_bytes` is the space that the store needs to flush the writes that it has accepted.
  FreeSpace(std::shared_ptr<rocksdb::FileSystem> file_system, std::string directory,
            std::size_t reserve_bytes)
      : file_system_(std::move(file_system)),
        directory_(std::move(directory)),
        reserve_bytes_(reserve_bytes) {}

  // Checks that the reserve stays free if `bytes` bytes are written, and counts these bytes as
  // written. While there is enough space, queries the file system only once per
  // kBytesBetweenChecks.
  // - kStorage: less than the reserve would stay free, or the directory does not exist any more.
  Status Check(std::size_t bytes);
  // Checks the same as Check, but always queries the file system, and counts nothing.
  Status Query(std::size_t bytes) const;

 private:
  static constexpr std::size_t kBytesBetweenChecks = std::size_t{1} << 20;

  const std::shared_ptr<rocksdb::FileSystem> file_system_;
  const std::string directory_;
  const std::size_t reserve_bytes_;
  // The bytes that were written since the last query of the file system. Because of the initial
  // value, the first Check() queries the file system.
  std::atomic<std::size_t> bytes_since_check_ = kBytesBetweenChecks;
};

}  // namespace dolmen::engine
