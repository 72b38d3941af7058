// The history of several threads' operations on a few items: what each operation wrote and read.
// Threads record the history while they run. Afterwards a checker examines it (serializability.h).
//
// An item holds a list of marks, which are numbers. No two writes append the same mark. A write
// appends its marks to the list or deletes the item. So a reader of an item sees all writes of
// the item since its last deletion, in their order.

#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace dolmen::test {

using Mark = std::int64_t;
using Marks = std::vector<Mark>;

// A position in the sequence of recorded events. It has no unit.
using Moment = std::uint64_t;

// The state of an item as a reader saw it: absent, its number of marks, or all its marks.
struct Absent {};
struct MarkCount {  // known because a condition on the list's size was true
  std::size_t count = 0;
};
class Seen {
 public:
  Seen() = default;
  Seen(Absent) {}
  Seen(MarkCount size) : exists_(true), count_(size.count) {}
  Seen(Marks marks) : exists_(true), whole_(true), count_(marks.size()), marks_(std::move(marks)) {}

  bool absent() const { return !exists_; }
  std::size_t count() const { return count_; }                       // the number of marks
  const Marks* marks() const { return whole_ ? &marks_ : nullptr; }  // null: unknown or absent

 private:
  bool exists_ = false;
  bool whole_ = false;
  std::size_t count_ = 0;
  Marks marks_;
};

struct ItemRead {
  std::size_t item = 0;  // an index of History::items
  Seen seen = {};
};

struct ItemWrite {
  std::size_t item = 0;
  Marks appended = {};  // empty: the item was deleted

  bool deletes() const { return appended.empty(); }
};

// One call. All its reads and writes must have happened at one moment. The reads come before the
// writes, except in an update that returns its result: its read comes after its write.
struct Operation {
  std::string name = {};
  std::size_t thread = 0;
  Moment began = 0;
  Moment ended = 0;
  bool committed = true;  // false: the writes must not happen, but the reads did
  bool unclear = false;   // an error left open if the call took effect; Recorder::Take decides it
  std::vector<ItemRead> reads = {};
  std::vector<ItemWrite> writes = {};
};

// An item of a history. There are two kinds of items, so that a reader of an absent item knows if
// the item is not yet created or already deleted:
// - An item that starts absent is never deleted.
// - Every other item starts as an empty list, and is never created again after its deletion.
struct TrackedItem {
  std::string name = {};
  bool starts_absent = false;
};

struct History {
  std::vector<TrackedItem> items = {};
  std::vector<Operation> operations = {};
};

// Returns a description of one operation, for example "#3 TransactWriteItems of thread 1, from 12
// to 19: ...". The numbers 12 and 19 are the moments at which the operation began and ended.
std::string Describe(const History& history, std::size_t operation);

// A recorder of the operations of threads. Each thread has its own log, so recording synchronizes
// the threads only through the counter of moments.
class Recorder {
 public:
  // Creates a recorder for `threads` threads, which have the numbers from 0.
  // REQUIRES: threads <= 100
  Recorder(std::vector<TrackedItem> items, std::size_t threads);

  // Record one call of one thread. Call Begin() before the call, and End() with the call's result
  // after it.
  Operation Begin(std::size_t thread, std::string name);
  void End(Operation operation);

  // Returns an unused mark. Its last two digits are the number of the thread.
  Mark NewMark(std::size_t thread);

  // Returns the history of all threads. An operation with an unclear outcome becomes committed if a
  // read has seen one of its marks. Otherwise it becomes an operation that failed and read nothing.
  // REQUIRES: no operation with an unclear outcome deletes an item
  // REQUIRES: no thread records any more
  History Take();

 private:
  struct alignas(64) Log {
    std::vector<Operation> operations;
    Mark marks = 0;
  };

  std::vector<TrackedItem> items_;
  std::vector<Log> logs_;
  std::atomic<Moment> now_ = 0;
};

}  // namespace dolmen::test
