// A background thread that backfills indexes which were added to tables with items.

#pragma once

#include <chrono>
#include <map>
#include <optional>
#include <string>
#include <thread>

#include "dolmen/describe_table.h"
#include "dolmen/result.h"
#include "engine/base/mutex.h"
#include "engine/schema/catalog.h"
#include "engine/schema/live_table.h"
#include "engine/storage/store.h"
#include "engine/write/lock_table.h"

namespace dolmen::engine {

// The backfill of all indexes of a database.
//
// Writers maintain a new index from the moment at which they see it in the schema. The backfill
// adds the index entries of the rows that existed before that moment. It locks these rows in
// batches. Each batch of entries also stores the backfill's position, from which the backfill
// resumes when the database is reopened.
//
// Owns one thread, which is started when the first index needs a backfill. Callable from any number
// of threads.
class Backfiller {
 public:
  // Borrows its arguments, which must outlive the Backfiller.
  Backfiller(Store* store, LockTable* locks, Catalog* catalog)
      : store_(store), locks_(locks), catalog_(catalog) {}
  // Stops the thread after its current batch.
  ~Backfiller();
  Backfiller(const Backfiller&) = delete;
  Backfiller& operator=(const Backfiller&) = delete;

  // Makes the thread look for indexes to backfill. Starts the thread if an index needs a backfill.
  // Must be called after the catalog is loaded and after an index is added.
  void Wake();
  // Makes every waiting Wait() check whether its table still exists. Must be called after a table
  // is deleted.
  void NotifyWaiters();

  // Returns the progress of an index that is being backfilled.
  BackfillProgress GetProgress(const TableSchema& table, KeyspaceId index) const;

  // Waits until no index of the table is being backfilled.
  // - kValidation: the store is read-only, so no index is backfilled.
  // - kResourceNotFound: the table was deleted.
  // - kCorruption: a row, or the stored position, is damaged. The backfill has stopped.
  // - kStorage: the last attempt failed. The thread tries again after a second.
  Status Wait(const LiveTable& table);

 private:
  using Clock = std::chrono::steady_clock;  // real time; used only to schedule retries

  // The progress of one index's backfill since the database was opened.
  struct Progress {
    std::uint64_t items_read = 0;
    Status status = {};               // the error of the last attempt, or ok
    Clock::time_point retry_at = {};  // the time of the next attempt, if `status` is an error
  };
  // An index to backfill.
  struct Work {
    LiveTableRef table;
    KeyspaceId index;
  };
  // A part of a backfill: the batches whose rows one cursor reads.
  class Run;

  // The outcome of a run.
  // - kMore: rows remain to be backfilled.
  // - kDone: the index is complete or deleted.
  // - kClosing: the database is closing.
  enum class Outcome : std::uint8_t { kMore, kDone, kClosing };

  // Starts the thread. If the thread cannot start, stores the error for `index` in progress_.
  void StartThreadFor(KeyspaceId index) DOLMEN_REQUIRES(mutex_);
  // Runs in the thread: backfills indexes until stop_ is set.
  void RunThread();
  // Returns an index that can be backfilled now, or nothing. Skips failed indexes whose next
  // attempt is not due yet.
  std::optional<Work> NextWork() const;
  // Returns the time of the next attempt at a failed index, or the latest possible time if no
  // attempt is scheduled. Removes from progress_ every failure whose next attempt is due.
  Clock::time_point NextRetry() DOLMEN_REQUIRES(mutex_);
  // Backfills one index, and publishes the index when it is complete. Stores an error in
  // progress_.
  void BackfillIndex(const Work& work);
  // Builds the entries of the next rows, in at most kBatchesPerRun batches.
  Result<Outcome> BackfillBatches(const Work& work);
  // Returns the key at which the backfill resumes, or the start of the table's rows.
  // - kCorruption: the stored position is damaged.
  Result<EncodedKey> ReadResumeKey(const TableSchema& table, KeyspaceId index) const;
  // Adds `items` to the number of items read for the index, and clears the index's error. Returns
  // false if the database is closing.
  bool AddItemsRead(KeyspaceId index, std::size_t items);
  // Stores the error of an attempt in progress_. Schedules another attempt if the error is
  // kStorage.
  void KeepFailure(KeyspaceId index, const Status& status);

  Store* store_;
  LockTable* locks_;
  Catalog* catalog_;
  mutable Mutex mutex_;
  ConditionVariable changed_;  // notified when a member below or a table's schema changes
  bool stop_ DOLMEN_GUARDED_BY(mutex_) = false;
  // True if Wake() was called after the thread last looked for an index to backfill.
  bool woken_ DOLMEN_GUARDED_BY(mutex_) = false;
  // The progress of each index, by the keyspace of the index.
  std::map<KeyspaceId, Progress> progress_ DOLMEN_GUARDED_BY(mutex_);
  std::thread thread_ DOLMEN_GUARDED_BY(mutex_);
};

}  // namespace dolmen::engine
