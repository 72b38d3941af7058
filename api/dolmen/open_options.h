// How a database is opened.

#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>

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
  Durability durability = Durability::kSync;  // without effect in memory
  bool create_if_missing = true;              // else a missing database is kValidation
  // Nothing on the disk is changed; a missing database is kValidation.  Reads see all that was
  // acknowledged, at the cost of holding in memory what the log has, which no table file has yet.
  // All that would write is kValidation, changes of tables included, and so is waiting for an index
  // that is being made.  Nothing is done in the background: no index is gone on with, nothing
  // expires.
  bool read_only = false;
  std::shared_ptr<Clock> clock = Clock::System();  // null: the same
  OnConflict on_conflict = OnConflict::kWait;

  // How long after its time an expired item is deleted at the latest, as long as deleting keeps up:
  // so often a thread in the background looks for some, once a table has a time to live.  The
  // machine's time, whatever the clock says.  Nothing: Table::ExpireNow alone deletes them.
  std::optional<std::chrono::milliseconds> expiry_lag = std::chrono::minutes(1);

  // --- tuning ---
  // Bytes of read cache.  Bounds the memory that reads hold on to, index and filter blocks
  // included.
  std::size_t cache_bytes = std::size_t{64} << 20;
  // Bytes of recent writes that are held in memory, at most twice, before they go to a table file.
  std::size_t write_buffer_bytes = std::size_t{32} << 20;
};

}  // namespace dolmen
