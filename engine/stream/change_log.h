// The log of the records of all streams. It numbers the records and adds each record to the batch
// that writes the change. It reads the records in order, and trims them after their retention.

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
#include "dolmen/result.h"
#include "dolmen/streams.h"
#include "engine/base/mutex.h"
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

// The log of the records of all streams, which share one sequence of numbers.
//
// A writer reserves its numbers while it holds the locks of its rows, so that the records of an
// item have numbers in the order of its changes. Concurrent writes may end in an order that differs
// from the order of their numbers. A reader that has passed a number would miss a record that is
// written under this number later. So a number is visible to readers only when every write with a
// lesser or equal number has ended.
//
// Callable from any number of threads.
class ChangeLog {
 public:
  using Deadline = std::optional<std::chrono::steady_clock::time_point>;

  // Borrows the store and the clock, which must outlive the log.
  ChangeLog(Store* store, Clock* clock) : store_(store), clock_(clock) {}

  // Sets the next number and the least time of the next record. The next number is greater than
  // every number of a record in `streams` and in deleted streams, and greater than every position
  // of a subscription. It is at least 2^20 times the milliseconds since 1970.
  // - kCorruption: a number or a position is damaged.
  // - kUnsupportedFormat: a newer release wrote a stream's last record.
  // - kStorage: a file cannot be read.
  // REQUIRES: no other method was called before, except the constructor.
  Status Load(std::span<const StreamSchema> streams);

  // The numbers that one write has reserved. The writer destroys the object when the write has
  // ended, whether or not the write succeeded. Numbers that were not taken stay unused. For one
  // thread.
  class ReservedNumbers {
   public:
    ReservedNumbers(ReservedNumbers&& other) noexcept
        : log_(std::exchange(other.log_, nullptr)),
          first_(other.first_),
          next_(other.next_),
          time_(other.time_) {}
    ~ReservedNumbers();

    // Returns the next of the reserved numbers. REQUIRES: not all reserved numbers are taken yet.
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
  // Reserves `count` numbers, and the time of their records: `now`, or the time of an earlier record
  // if that time is later. Times never decrease as numbers grow.
  // REQUIRES: count > 0. The caller holds the locks of the rows that it will write.
  ReservedNumbers ReserveNumbers(std::size_t count, Timestamp now);

  // Adds the record of a change to `batch`, which must also contain the change. `number` and `time`
  // are those of the write's ReservedNumbers.
  // - kCorruption: an item of `change` lacks its key.
  static Status Append(const StreamSchema& stream, const KeySchema& keys, const Change& change,
                       SequenceNumber number, Timestamp time, WriteBatch* batch);

  // Returns the next number that a write will reserve.
  SequenceNumber next_number() const;
  // Returns the clock's time, or the time of the latest record if that time is later because the
  // clock went back.
  Timestamp now() const;
  // Makes every number that is reserved later have at least this time, which is not in the future.
  void SetLeastTime(Timestamp time);
  // Waits until every number that was reserved before the call is visible.
  void WaitForOpenWrites();
  // Adds the next number to `batch`, which deletes streams. The stored number ensures that the
  // numbers of deleted records are not assigned again after the database is reopened.
  void PutNextNumber(WriteBatch* batch) const;
  // Returns the least number that is not visible yet. Every write with a lesser number has ended.
  SequenceNumber visible_end() const;

  // Reads the stream's visible records with numbers greater than `after`. The page ends after
  // `count_max` records or 1 MB, but holds at least one record if there is one.
  // - kCorruption: a record is damaged.
  // - kUnsupportedFormat: a newer release wrote a record.
  // - kStorage: a file cannot be read.
  Result<RecordPage> Read(const StreamSchema& stream, const KeySchema& keys, SequenceNumber after,
                          std::size_t count_max) const;

  // Deletes the stream's records whose retention has passed. Returns the greatest number of a
  // record that was ever deleted from the stream, or 0 if no record was deleted. Deletes nothing if
  // the store is read-only, or if the write fails with kStorage.
  // - kCorruption: a number is damaged.
  // - kStorage: a file cannot be read.
  Result<SequenceNumber> Trim(const StreamSchema& stream);
  // Trims the stream after about one write in 32. The values of `numbers` decide whether this call
  // trims. Writers call this after each write. Ignores errors.
  void TrimSometimes(const StreamSchema& stream, const ReservedNumbers& numbers);

  // Returns the number of the stream's last record. If the stream has no record, returns the
  // greatest number that was trimmed, or the number before the stream's first number.
  // - kCorruption, kStorage: as in Read().
  Result<SequenceNumber> LastNumber(const StreamSchema& stream) const;

  // Waits until visible_end() is greater than `seen`, until `deadline`, or until another thread
  // sets `woken` and calls WakeAll().
  void WaitFor(SequenceNumber seen, Deadline deadline, const std::atomic<bool>& woken);
  // Makes every waiting WaitFor() test its `woken`.
  void WakeAll();

 private:
  // The progress of a stream's trimming.
  struct TrimState {
    SequenceNumber last = 0;  // the greatest deleted number; 0: none
    Timestamp oldest = {};    // no visible record is older; a record in flight may be older
  };

  // Returns the stored state. Leaves its member `oldest` unset, because that time is not stored.
  Result<TrimState> ReadTrimState(const StreamSchema& stream) const;
  // Deletes the records that are no longer retained at `now`, and updates `*trimmed`.
  Status TrimTo(const StreamSchema& stream, Timestamp now, TrimState* trimmed)
      DOLMEN_REQUIRES(trim_mutex_);
  // Returns the least number in (from, end] such that all records with this number or a greater one
  // are retained. Uses a binary search, which is correct because times never decrease as numbers
  // grow. REQUIRES: record `from` is not retained.
  static Result<SequenceNumber> FirstRetained(const StreamSchema& stream, SequenceNumber from,
                                              SequenceNumber end, Timestamp now, Cursor* cursor);
  // Raises next_ above the positions of all subscriptions. A subscription that began after the last
  // record has a position above all records, and would skip a new record with a lower number.
  Status LoadPositions() DOLMEN_REQUIRES(mutex_);
  // Removes from in_flight_ the write whose first number is `first`. The write has ended.
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

// Returns the key in keyspace kMeta that holds the greatest number trimmed from a stream.
EncodedKey TrimmedKey(KeyspaceId stream);

}  // namespace dolmen::engine
