// The options with which a database is opened or forked. The defaults of OpenOptions are durable and
// suit most programs.
//
//   auto db = Database::Open("app.dolmen", {.durability = Durability::kBuffered,
//                                           .cache_bytes = std::size_t{256} << 20});

#pragma once

#include "dolmen/internal/hide_macros.h"

#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "dolmen/clock.h"

namespace dolmen {

struct SimulateOptions;

// The kinds of crash that a write survives once its call has returned.
enum class Durability : std::uint8_t {
  kSync,      // crashes of the process, and power cuts: the write is on the disk
  kBuffered,  // only crashes of the process: the operating system has the write; faster
};

// The behaviour of a write to an item that a running transaction has locked. TransactGetItems conflicts with writes to
// its items in the same way. With kFail a write may still wait, if the locked item is another one with the same lock:
// 1024 locks serve all items.
enum class OnConflict : std::uint8_t {
  // The write waits until the transaction has ended. A transaction takes about as long as one
  // write.
  kWait,
  // The write fails with kTransactionConflict, as in DynamoDB. For tests of a program's retries.
  kFail,
};

// A key that encrypts the files of a database. Generate it from a source of random bytes.
using EncryptionKey = std::array<std::byte, 32>;

struct OpenOptions {
  // --- behaviour ---

  // The kind of crash that acknowledged writes survive. With kBuffered a power cut may lose the
  // newest writes, but never a write that is older than a write that survives. Closing the database
  // brings all writes to the disk. This option has no effect on a database in memory.
  Durability durability = Durability::kSync;

  // True: create the database if the directory is missing or empty. False: fail with kValidation.
  bool create_if_missing = true;

  // True: open without changing anything on disk. Open fails with kValidation if the database is
  // missing.
  // - Reads see every acknowledged write. Open loads the writes that are only in the log into
  //   memory.
  // - Every call that would write or change a table fails with kValidation.
  // - Table::WaitForIndexes fails with kValidation while an index is not built.
  // - No work happens in the background: no backfill, no expiry.
  bool read_only = false;

  // The clock for expiry, streams and tokens. Null: the clock of the operating system.
  SharedClock clock = Clock::System();

  OnConflict on_conflict = OnConflict::kWait;

  // The pause between two sweeps of the thread that deletes expired items; 1 ms to 365 days, other
  // values are clamped. An expired item is deleted after at most this time, unless too many items
  // expire at once. The pause is measured by the operating system's clock, not by `clock`. The
  // thread starts once a table has a time to live. Nothing: the thread never starts, and only
  // Table::ExpireNow deletes expired items.
  std::optional<std::chrono::milliseconds> expiry_lag = std::chrono::minutes(1);

  // The key that encrypts every file of the database. Nothing: the files are not encrypted. A
  // database gets its key when it is created, and keeps it. Open fails with kValidation and changes
  // nothing if the key is wrong, if it is missing, or if the database is not encrypted. The key
  // protects the files against readers, not against changes. The files of a database in memory are
  // not encrypted, but its backups are.
  std::optional<EncryptionKey> encryption_key = std::nullopt;

  // The failures that the database produces, for tests (testing/simulate.h): Simulate({...}). Null: none.
  // Then the simulation costs nothing.
  // - kValidation of Open: a rule has a chance outside 0 to 1, or an amount of 0.
  std::shared_ptr<const SimulateOptions> simulate = nullptr;

  // --- tuning ---

  // The size of the read cache in bytes, at most 1 TiB; a larger value counts as 1 TiB. It limits the
  // memory for reads, including the index and filter blocks of table files.
  std::size_t cache_bytes = std::size_t{64} << 20;

  // The size of the row cache in bytes, at most 1 TiB; a larger value counts as 1 TiB, and 0 turns it
  // off. It holds rows, and ranges of rows, that were read more than once. Query, GetItem and writes
  // then find them without reading the files or the read cache. Every read sees the latest
  // acknowledged write, with the row cache or without it.
  std::size_t row_cache_bytes = std::size_t{32} << 20;

  // The size of one write buffer in bytes, at most 4 GiB; a larger value counts as 4 GiB. Recent
  // writes stay in memory until a buffer is full and is written to a table file. At most two buffers
  // exist at a time.
  //
  // On disk, a buffer takes at most a sixteenth of the space that the database can have: its files
  // and the free space when it is opened. A reserve of free space ensures that buffers can be
  // written to table files:
  // - A write fails with kStorage if it would leave less free space than two buffers and 2 MB.
  // - A write fails with kStorage if the process may not write files of two buffers and 512 KB, or
  //   cannot open 16 files more. If a file has a limit when the database is opened, a buffer takes at
  //   most an eighth of it.
  // - A write that only deletes items, DeleteTable and the deletion of expired items fail only if
  //   they would leave less than one buffer and 1 MB. They need some space of their own. The space
  //   of deleted data becomes free when RocksDB compacts the data.
  std::size_t write_buffer_bytes = std::size_t{32} << 20;
};

// The options of Database::Fork.
struct ForkOptions {
  // The directory of the fork, which is absent or empty. Empty: the fork is in memory.
  std::string directory = {};

  // The clock of the fork. Null: the clock that Clock::Fork returns, so a ManualClock of the
  // original is copied, and any other clock is shared.
  SharedClock clock = nullptr;
};

}  // namespace dolmen

#include "dolmen/internal/show_macros.h"
