// A check that rejects writes before the disk is full.

#pragma once

#include <rocksdb/file_system.h>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>

#include "dolmen/status.h"

namespace dolmen::engine {

// Tests a store's file system for free space.  A store whose disk is full becomes read-only until
// it is reopened (store.h).  A store that rejects writes earlier accepts them again as soon as
// there is space.  Callable from any number of threads.
class FreeSpace {
 public:
  // `reserve_bytes` is the space that the store needs to flush the writes it has accepted.
  FreeSpace(std::shared_ptr<rocksdb::FileSystem> file_system, std::string directory,
            std::size_t reserve_bytes)
      : file_system_(std::move(file_system)),
        directory_(std::move(directory)),
        reserve_bytes_(reserve_bytes) {}

  // Checks that the reserve stays free if `bytes` are written, and counts them as written.  As long
  // as there was enough space, asks the file system once per kBytesBetweenChecks only.
  // - kStorage: less than the reserve would stay free, or the directory does not exist any more.
  Status Check(std::size_t bytes);

 private:
  static constexpr std::size_t kBytesBetweenChecks = std::size_t{1} << 20;

  const std::shared_ptr<rocksdb::FileSystem> file_system_;
  const std::string directory_;
  const std::size_t reserve_bytes_;
  // Bytes that were written since the file system was last asked.  The first Check() asks.
  std::atomic<std::size_t> bytes_since_check_ = kBytesBetweenChecks;
};

}  // namespace dolmen::engine
