// The records of all streams: written with the changes that they record, numbered in order, read in
// order, and deleted when they are no longer retained.

#pragma once

#include <atomic>
#include <boost/container/flat_set.hpp>
#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <map>
#include <mutex>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "dolmen/clock.h"
#include "dolmen/result.h"
#include "dolmen/streams.h"
#include "engine/key/key_schema.h"
#include "engine/schema/stream_schema.h"
#include "engine/storage/cursor.h"
#include "engine/storage/store.h"
#include "engine/stream/change_record.h"

namespace dolmen::engine {

// Some records in order, and how far one has come with them.
struct RecordPage {
  std::vector<StreamRecord> records;
  SequenceNumber last;   // no record up to here is to be read any more
  bool complete = true;  // nor any other that was there
};

// Writers take their numbers while they hold their rows' locks, so that an item's records are in
// the order of its changes.  Those who write at the same time may be done in another order than
// that of their numbers; a reader who has passed by a number must not miss it later, so only
// numbers below the least one that is in flight are read.
//
// Callable from any number of threads.
class ChangeLog {
 public:
  using Deadline = std::optional<std::chrono::steady_clock::time_point>;

  // Both outlive the log.
  ChangeLog(Store* store, Clock* clock) : store_(store), clock_(clock) {}

  // Goes on behind what was written to these streams, and to others that there are no more: behind
  // the time, too.  Once, before anything else.
  Status Load(std::span<const StreamSchema> streams);

  // The numbers of one write, in flight until this is destroyed, which is when the write is done.
  class Numbers {
   public:
    Numbers(Numbers&& other) noexcept
        : log_(std::exchange(other.log_, nullptr)),
          first_(other.first_),
          next_(other.next_),
          time_(other.time_) {}
    ~Numbers();

    SequenceNumber Take() { return next_++; }
    Timestamp time() const { return time_; }

   private:
    friend class ChangeLog;
    Numbers(ChangeLog* log, SequenceNumber first, Timestamp time)
        : log_(log), first_(first), next_(first), time_(time) {}

    ChangeLog* log_;
    SequenceNumber first_;
    SequenceNumber next_;
    Timestamp time_;
  };
  Numbers Begin(std::size_t count);  // REQUIRES: count > 0

  // Adds the record of a change to the batch with which it is written.
  static Status Append(const StreamSchema& stream, const KeySchema& keys, const Change& change,
                       Numbers* numbers, WriteBatch* batch);

  // The next number that is given away, and the least time with which.
  SequenceNumber next() const;
  Timestamp now() const;
  // Returns when all numbers that were given away before are settled.
  void WaitUntilSettled();
  // Adds to a batch what keeps numbers from going back when streams go with it.
  void KeepNext(WriteBatch* batch) const;
  // Records with lesser numbers are written by now, or never will be.
  SequenceNumber settled() const;

  // The stream's records behind `after` that are settled, up to `count_max` of them and to 1 MB,
  // but one of them at least.
  Result<RecordPage> Read(const StreamSchema& stream, const KeySchema& keys, SequenceNumber after,
                          std::size_t count_max) const;

  // Deletes the records that are no longer retained.  Returns the greatest number that was ever
  // deleted; 0 if none was.
  Result<SequenceNumber> Trim(const StreamSchema& stream);
  // The same now and then, for writers: every so many numbers of whichever stream.
  void TrimSometimes(const StreamSchema& stream, const Numbers& numbers);

  // The number of the stream's last record, or, if there is none, of the last before it began.
  Result<SequenceNumber> LastOf(const StreamSchema& stream) const;

  // Returns when more is settled than `seen`, at the deadline, or if `woken` is set when WakeAll()
  // is called.
  void WaitFor(SequenceNumber seen, Deadline deadline, const std::atomic<bool>& woken);
  void WakeAll();

 private:
  // How far a stream is trimmed.
  struct Trimmed {
    SequenceNumber last = 0;
    Timestamp oldest = {};  // no record is, but those in flight
  };

  Result<Trimmed> ReadTrimmed(const StreamSchema& stream) const;
  Status TrimTo(const StreamSchema& stream, Timestamp now, Trimmed* trimmed);
  static Result<SequenceNumber> FirstRetained(const StreamSchema& stream, SequenceNumber from,
                                              SequenceNumber end, Timestamp now, Cursor* cursor);
  Status LoadPositions();
  void Settle(SequenceNumber first);
  SequenceNumber SettledLocked() const { return in_flight_.empty() ? next_ : *in_flight_.begin(); }

  Store* store_;
  Clock* clock_;

  mutable std::mutex mutex_;
  std::condition_variable settled_changed_;
  SequenceNumber next_ = 1;
  Timestamp last_time_ = {};
  boost::container::flat_set<SequenceNumber> in_flight_;  // the first numbers of writes

  std::mutex trim_mutex_;  // taken before mutex_
  std::map<KeyspaceId, Trimmed> trimmed_;
};

// Where a stream's greatest trimmed number is stored, in keyspace kMeta.
EncodedKey TrimmedKey(KeyspaceId stream);

}  // namespace dolmen::engine
