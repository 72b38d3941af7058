// The log of the records of all streams.  It numbers the records, writes each in the batch of its
// change, reads them in order, and trims them after their retention.

#pragma once

#include <atomic>
#include <boost/container/flat_set.hpp>
#include <chrono>
#include <cstddef>
#include <map>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "dolmen/clock.h"
#include "dolmen/internal/mutex.h"
#include "dolmen/result.h"
#include "dolmen/streams.h"
#include "engine/key/key_schema.h"
#include "engine/schema/stream_schema.h"
#include "engine/storage/cursor.h"
#include "engine/storage/store.h"
#include "engine/stream/change_record.h"

namespace dolmen::engine {

// A page of records of one stream, in the order of their numbers.
struct RecordPage {
  std::vector<StreamRecord> records;
  SequenceNumber last;   // the number after which the next page begins
  bool complete = true;  // true if no visible record follows the page
};

// The log.  All streams of a database share one sequence of numbers.
//
// A writer reserves its numbers while it holds the locks of its rows, so that the records of an
// item have numbers in the order of its changes.  Concurrent writes may end in another order than
// that of their numbers.  A reader that has passed a number must not miss its record later.  So a
// number is visible to readers only when every write with a lesser or equal number has ended.
//
// Callable from any number of threads.
class ChangeLog {
 public:
  using Deadline = std::optional<std::chrono::steady_clock::time_point>;

  // Borrows the store and the clock, which must outlive the log.
  ChangeLog(Store* store, Clock* clock) : store_(store), clock_(clock) {}

  // Sets the next number and the least time of a record.  The next number is greater than every
  // number of `streams`, of deleted streams and of subscriptions' positions, and is at least 2^20
  // for each millisecond since 1970.
  // - kCorruption: a number or a position is damaged.
  // - kUnsupportedFormat: a newer release wrote a stream's last record.
  // - kStorage: a file cannot be read.
  // REQUIRES: no other method was called before, except the constructor.
  Status Load(std::span<const StreamSchema> streams);

  // The numbers that one write has reserved.  The writer destroys the object when its write has
  // ended, whether or not it succeeded.  Numbers that were not taken stay unused.  For one thread.
  class ReservedNumbers {
   public:
    ReservedNumbers(ReservedNumbers&& other) noexcept
        : log_(std::exchange(other.log_, nullptr)),
          first_(other.first_),
          next_(other.next_),
          time_(other.time_) {}
    ~ReservedNumbers();

    // Returns the next of the reserved numbers.  REQUIRES: fewer numbers were taken than reserved.
    SequenceNumber Next() { return next_++; }
    // Returns the time of the write's records.
    Timestamp time() const { return time_; }

   private:
    friend class ChangeLog;
    ReservedNumbers(ChangeLog* log, SequenceNumber first, Timestamp time)
        : log_(log), first_(first), next_(first), time_(time) {}

    ChangeLog* log_;  // null after a move
    SequenceNumber first_;
    SequenceNumber next_;
    Timestamp time_;
  };
  // Reserves `count` numbers, and the time of their records.  Times never decrease as numbers grow.
  // REQUIRES: count > 0.  The caller holds the locks of the rows that it will write.
  ReservedNumbers ReserveNumbers(std::size_t count);

  // Adds the record of a change to `batch`, which must also contain the change.
  // - kCorruption: an item of `change` lacks its key.
  static Status Append(const StreamSchema& stream, const KeySchema& keys, const Change& change,
                       ReservedNumbers* numbers, WriteBatch* batch);

  // Returns the next number that a write will reserve.
  SequenceNumber next_number() const;
  // Returns the clock's time, or the latest time of a record if the clock went back.
  Timestamp now() const;
  // Returns when every number that was reserved before the call is visible.
  void WaitForOpenWrites();
  // Adds the next number to `batch`, so that later openings do not assign a number again.  For
  // batches that delete streams.
  void PutNextNumber(WriteBatch* batch) const;
  // Returns the end of the visible numbers.  Every write with a lesser number has ended.
  SequenceNumber visible_end() const;

  // Reads the stream's visible records with numbers greater than `after`.  The page ends after
  // `count_max` records or 1 MB, but holds at least one record if there is one.
  // - kCorruption: a record is damaged.
  // - kUnsupportedFormat: a newer release wrote a record.
  // - kStorage: a file cannot be read.
  Result<RecordPage> Read(const StreamSchema& stream, const KeySchema& keys, SequenceNumber after,
                          std::size_t count_max) const;

  // Deletes the stream's records whose retention has passed.  Returns the greatest number that was
  // ever deleted, or 0 if none was.  Deletes nothing if the store is read-only, or if the write
  // fails with kStorage.
  // - kCorruption: a number is damaged.
  // - kStorage: a file cannot be read.
  Result<SequenceNumber> Trim(const StreamSchema& stream);
  // Trims the stream if `numbers` contains a number that is due for it.  One number of 32 is.
  // Writers call this after their write.  Ignores errors.
  void TrimSometimes(const StreamSchema& stream, const ReservedNumbers& numbers);

  // Returns the number of the stream's last record.  If it has no record, returns the greatest
  // number that was trimmed, or the number before its first.
  // - kCorruption, kStorage: as in Read().
  Result<SequenceNumber> LastNumber(const StreamSchema& stream) const;

  // Returns when visible_end() is greater than `seen`, or at `deadline`.  Returns also when another
  // thread has set `woken` and calls WakeAll().
  void WaitFor(SequenceNumber seen, Deadline deadline, const std::atomic<bool>& woken);
  // Makes every WaitFor() test its `woken`.
  void WakeAll();

 private:
  // The state of a stream's trimming.
  struct TrimState {
    SequenceNumber last = 0;  // the greatest deleted number; 0: none
    Timestamp oldest = {};    // no visible record is older; a record in flight may be
  };

  // Returns the stored state.  Its `oldest` is unset.
  Result<TrimState> ReadTrimState(const StreamSchema& stream) const;
  // Deletes the records that are no longer retained at `now`, and updates `*trimmed`.
  Status TrimTo(const StreamSchema& stream, Timestamp now, TrimState* trimmed)
      DOLMEN_REQUIRES(trim_mutex_);
  // Returns the least number in (from, end] from which on records are retained, by bisection.  The
  // times of records never decrease as their numbers grow.  REQUIRES: record `from` is not
  // retained.
  static Result<SequenceNumber> FirstRetained(const StreamSchema& stream, SequenceNumber from,
                                              SequenceNumber end, Timestamp now, Cursor* cursor);
  // Raises the next number above every position of a subscription.  A subscription that began at
  // the next number may be ahead of every record.
  Status LoadPositions() DOLMEN_REQUIRES(mutex_);
  // Ends the write whose first number is `first`.
  void EndWrite(SequenceNumber first);
  SequenceNumber VisibleEndLocked() const DOLMEN_REQUIRES(mutex_) {
    return in_flight_.empty() ? next_ : *in_flight_.begin();
  }

  Store* store_;
  Clock* clock_;

  mutable Mutex mutex_;
  ConditionVariable visible_end_changed_;  // also notified by WakeAll()
  SequenceNumber next_ DOLMEN_GUARDED_BY(mutex_) = 1;
  // The latest time of a record.
  Timestamp last_time_ DOLMEN_GUARDED_BY(mutex_) = {};
  // The first number of each write in flight.
  boost::container::flat_set<SequenceNumber> in_flight_ DOLMEN_GUARDED_BY(mutex_);

  Mutex trim_mutex_ DOLMEN_ACQUIRED_BEFORE(mutex_);  // makes trimming exclusive
  std::map<KeyspaceId, TrimState> trim_states_ DOLMEN_GUARDED_BY(trim_mutex_);
};

// Returns the key, in keyspace kMeta, of the greatest number that was trimmed from a stream.
EncodedKey TrimmedKey(KeyspaceId stream);

}  // namespace dolmen::engine
