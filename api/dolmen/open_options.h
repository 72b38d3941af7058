// How a database is opened.

#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>

#include "dolmen/clock.h"

namespace dolmen {

// What an acknowledged write has survived.
enum class Durability : std::uint8_t {
  kSync,      // it is on the disk: survives a power cut
  kBuffered,  // it is with the operating system: survives the process, not the machine
};

// What a write does that meets a transaction on one of its items.
enum class OnConflict : std::uint8_t {
  kWait,  // for its end, which never takes long
  kFail,  // with kTransactionConflict, as DynamoDB does: for programs that want to see it
};

struct OpenOptions {
  // --- behaviour ---
  Durability durability = Durability::kSync;       // without effect in memory
  bool create_if_missing = true;                   // else a missing database is kValidation
  std::shared_ptr<Clock> clock = Clock::System();  // null: the same
  OnConflict on_conflict = OnConflict::kWait;

  // --- tuning ---
  // Bytes of read cache.  Bounds the memory that reads hold on to, index and filter blocks
  // included.
  std::size_t cache_bytes = std::size_t{64} << 20;
  // Bytes of recent writes that are held in memory, at most twice, before they go to a table file.
  std::size_t write_buffer_bytes = std::size_t{32} << 20;
};

}  // namespace dolmen
