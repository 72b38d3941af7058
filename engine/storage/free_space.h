// Stops writing before the disk is full.

#pragma once

#include <rocksdb/file_system.h>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>

#include "dolmen/status.h"

namespace dolmen::engine {

// A store that has run into a full disk has to be opened again (store.h); one that stops short of
// it goes on as soon as there is space.  Callable from any number of threads.
class FreeSpace {
 public:
  // `reserve_bytes` is what the store still needs to put away what it has accepted.
  FreeSpace(std::shared_ptr<rocksdb::FileSystem> file_system, std::string directory,
            std::size_t reserve_bytes)
      : file_system_(std::move(file_system)),
        directory_(std::move(directory)),
        reserve_bytes_(reserve_bytes) {}

  // kStorage if `bytes` more would leave less than the reserve.  Asks the file system now and then
  // only, as long as it has had enough.
  Status Check(std::size_t bytes);

 private:
  static constexpr std::size_t kBytesBetweenQuestions = std::size_t{1} << 20;

  const std::shared_ptr<rocksdb::FileSystem> file_system_;
  const std::string directory_;
  const std::size_t reserve_bytes_;
  std::atomic<std::size_t> bytes_since_question_ = kBytesBetweenQuestions;  // so the first asks
};

}  // namespace dolmen::engine
