// The options with which a database is opened.  The defaults are durable and suit most programs.
//
//   auto db = Database::Open("app.dolmen", {.durability = Durability::kBuffered,
//                                           .cache_bytes = std::size_t{256} << 20});

#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>

#include "dolmen/clock.h"

namespace dolmen {

// The crash that a write has survived once its call has returned.
enum class Durability : std::uint8_t {
  kSync,      // a power cut: the write is on the disk
  kBuffered,  // a crash of the process: the operating system has the write.  Faster.
};

// The behaviour of a write that meets a running transaction on one of its items.
enum class OnConflict : std::uint8_t {
  kWait,  // wait for the transaction, which takes about as long as one write
  kFail,  // fail with kTransactionConflict, as DynamoDB does, to test how a program handles it
};

struct OpenOptions {
  // --- behaviour ---

  // The crash that acknowledged writes survive.  With kBuffered a power cut may lose the newest
  // writes; those that remain are a prefix of all writes in their order.  No effect in memory.
  Durability durability = Durability::kSync;

  // True: create the database if the directory is missing or empty.  False: fail with kValidation.
  bool create_if_missing = true;

  // True: open without changing anything on disk.  A missing database is kValidation.
  // - Reads see every acknowledged write.  Writes that no table file holds yet are held in memory.
  // - Every call that would write fails with kValidation, changes of tables included.
  // - Table::WaitForIndexes fails with kValidation while an index is not built.
  // - No work happens in the background: no backfill, no expiry.
  bool read_only = false;

  // The clock of expiry, streams and tokens.  Null: the machine's clock.
  std::shared_ptr<Clock> clock = Clock::System();

  OnConflict on_conflict = OnConflict::kWait;

  // The pause between two sweeps of the thread that deletes expired items.  It is the longest time
  // for which an expired item stays, as long as deleting keeps up.  Measured in the machine's time,
  // whatever `clock` says; 1 ms to 365 days, other values are clamped.  The thread starts once a
  // table has a time to live.  Nothing: no thread, so only Table::ExpireNow deletes expired items.
  std::optional<std::chrono::milliseconds> expiry_lag = std::chrono::minutes(1);

  // --- tuning ---

  // The size of the read cache in bytes.  It bounds the memory that reads hold, including the index
  // and filter blocks of table files.
  std::size_t cache_bytes = std::size_t{64} << 20;

  // The size of one write buffer in bytes.  Recent writes stay in memory until a buffer is full and
  // is written to a table file.  At most two buffers exist at a time.  On disk, a write is rejected
  // with kStorage if it would leave less free space than the two buffers and 1 MB.
  std::size_t write_buffer_bytes = std::size_t{32} << 20;
};

}  // namespace dolmen
