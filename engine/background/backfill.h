// Makes the entries of indexes that were added to tables with items in them, in the background.

#pragma once

#include <chrono>
#include <condition_variable>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <thread>

#include "dolmen/result.h"
#include "dolmen/tables.h"
#include "engine/schema/catalog.h"
#include "engine/schema/live_table.h"
#include "engine/storage/store.h"
#include "engine/write/lock_table.h"

namespace dolmen::engine {

// Writers keep a new index up from the moment at which they can see it.  What is left to do is to
// visit each row that was there before, and to write its entry as if somebody had rewritten the
// row: under the row's lock.  How far that has come is stored with the entries, so that it goes on
// from there when the database is opened again.
//
// Has one thread, which begins with the first index.  Callable from any number of threads.
class Backfiller {
 public:
  // All three outlive this.
  Backfiller(Store* store, LockTable* locks, Catalog* catalog)
      : store_(store), locks_(locks), catalog_(catalog) {}
  ~Backfiller();
  Backfiller(const Backfiller&) = delete;
  Backfiller& operator=(const Backfiller&) = delete;

  // There may be an index to fill, or one less to wait for.
  void Wake();
  // There may be one less to wait for.
  void TellWaiters();

  // Of an index that is being filled.
  BackfillProgress ProgressOf(const TableSchema& table, KeyspaceId index) const;

  // Returns when no index of the table is being filled; an error if one can't be.
  Status Wait(const LiveTable& table);

 private:
  using Clock = std::chrono::steady_clock;  // nobody's time but this thread's

  struct Progress {
    std::uint64_t items_read = 0;
    Status status = {};
    Clock::time_point retry_at = {};
  };
  struct Work {
    LiveTableRef table;
    KeyspaceId index;
  };
  // Rows that are read in one go, and their entries.
  class Run;

  enum class Outcome : std::uint8_t { kMore, kDone, kClosing };

  void Start(KeyspaceId index);
  void DoWork();
  std::optional<Work> NextWork() const;
  // When a failed one is to be tried again.  REQUIRES: mutex_ is held
  Clock::time_point NextRetry();
  void Fill(const Work& work);
  Result<Outcome> FillSome(const Work& work);
  Result<EncodedKey> StartOf(const TableSchema& table, KeyspaceId index) const;
  // So many items more are done.  False: the database is being closed.
  bool Note(KeyspaceId index, std::size_t items);
  void Fail(KeyspaceId index, const Status& status);

  Store* store_;
  LockTable* locks_;
  Catalog* catalog_;
  mutable std::mutex mutex_;
  std::condition_variable changed_;
  bool stop_ = false;
  bool woken_ = false;
  std::map<KeyspaceId, Progress> progress_;
  std::thread thread_;
};

}  // namespace dolmen::engine
