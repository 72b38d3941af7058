// A background thread that deletes expired items, and disabled streams after their retention.

#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <optional>
#include <thread>
#include <vector>

#include "dolmen/result.h"
#include "engine/base/mutex.h"
#include "engine/read/expiry_cutoff.h"
#include "engine/schema/catalog.h"
#include "engine/schema/live_table.h"
#include "engine/write/atomic_write.h"

namespace dolmen::engine {

// The deletion of expired items. A sweep reads only the expiry index's entries of expired items.
// For each entry the sweep locks the row, tests again whether the item has expired, and deletes the
// item through the ordinary write path.
//
// Owns one thread if the constructor gets a `lag`. The thread is started when a table has a time to
// live, or when a stream is disabled. Callable from any number of threads.
class Sweeper {
 public:
  // The time between two sweeps by the thread. If this time is absent, the Sweeper has no thread,
  // and only calls of Sweep() delete items.
  using Lag = std::optional<std::chrono::milliseconds>;

  // Borrows `catalog` and the members of `context`, which must outlive the Sweeper.
  Sweeper(const WriteContext& context, Catalog* catalog, Lag lag);
  // Stops the thread after its current batch.
  ~Sweeper();
  Sweeper(const Sweeper&) = delete;
  Sweeper& operator=(const Sweeper&) = delete;

  // Starts the thread if it does not run yet, and a table has a time to live or a stream is disabled.
  // Must be called after the catalog is loaded, after a time to live is enabled, and after a stream is
  // disabled.
  void StartIfNeeded();

  // Contract: Table::ExpireNow.
  Result<std::uint64_t> Sweep(const LiveTable& table, std::uint64_t items_max);

 private:
  // Reads at most `count_max` entries of expired items from the expiry index, beginning at `*from`.
  // Returns the keys of the items' rows, and moves `*from` past the entries.
  // - kCorruption, kStorage: a file cannot be read.
  Result<std::vector<EncodedKey>> NextRows(const TableSchema& schema, const ExpiryCutoff& expired,
                                           std::size_t count_max, EncodedKey* from) const;
  // Deletes the rows whose items have expired, in one atomic write. Returns the number of deleted
  // rows.
  // - kCorruption: a row is damaged.
  // - kStorage: a file cannot be read or written.
  Result<std::uint64_t> Expire(const LiveTable& table, const std::vector<EncodedKey>& rows) const;
  // Deletes these rows one by one, and leaves those that are damaged.
  // - kStorage: a file cannot be read or written.
  Result<std::uint64_t> ExpireUndamaged(const LiveTable& table,
                                        const std::vector<EncodedKey>& rows) const;
  // Returns true if any table has a time to live, or any stream is disabled.
  bool HasWork() const;
  void SweepAll();
  // Runs in the thread: sweeps all tables and drops old streams again and again until stop_ is set.
  void RunThread();

  const WriteContext context_;
  Catalog* const catalog_;
  const Lag lag_;
  std::atomic<bool> stop_ = false;  // set while mutex_ is held
  Mutex mutex_;
  ConditionVariable changed_;  // notified when stop_ is set
  std::thread thread_ DOLMEN_GUARDED_BY(mutex_);
};

}  // namespace dolmen::engine
