// Deletes what has expired.

#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <mutex>
#include <optional>
#include <thread>
#include <vector>

#include "dolmen/result.h"
#include "engine/read/expiry_cutoff.h"
#include "engine/schema/catalog.h"
#include "engine/schema/live_table.h"
#include "engine/write/atomic_write.h"

namespace dolmen::engine {

// Reads the entries of expired items in the expiry's index, and nothing else; each item is then
// looked at again under its row's lock and deleted by a write like any other.
//
// Has a thread if it is to look for some by itself, which begins with the first time to live.
// Callable from any number of threads.
class Sweeper {
 public:
  using Lag = std::optional<std::chrono::milliseconds>;

  // What the context and `catalog` refer to outlives this.
  Sweeper(const WriteContext& context, Catalog* catalog, Lag lag);
  ~Sweeper();
  Sweeper(const Sweeper&) = delete;
  Sweeper& operator=(const Sweeper&) = delete;

  // A table may have got a time to live.
  void Wake();

  // Contract: Table::ExpireNow.
  Result<std::uint64_t> Sweep(const LiveTable& table, std::uint64_t items_max);

 private:
  Result<std::vector<EncodedKey>> NextRows(const TableSchema& schema, const ExpiryCutoff& expired,
                                           std::size_t count_max, EncodedKey* from) const;
  Result<std::uint64_t> Expire(const LiveTable& table, const std::vector<EncodedKey>& rows) const;
  bool HasWork() const;
  void SweepAll();
  void DoWork();

  const WriteContext context_;
  Catalog* const catalog_;
  const Lag lag_;
  std::atomic<bool> stop_ = false;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::thread thread_;
};

}  // namespace dolmen::engine
