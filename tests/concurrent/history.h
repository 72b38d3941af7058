// What several threads did to a few items, and what they saw of them: recorded while they do it,
// for a checker to judge afterwards (serializability.h).
//
// An item holds a list of marks: numbers that no two writes share.  Every write appends its marks
// to whatever is there, or deletes the item.  So whoever reads an item reads all that was done to
// it, in the order in which it was done.

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

// No unit: one event after the other.
using Moment = std::uint64_t;

// What a reader learned of an item.
struct Absent {};
struct MarkCount {  // from a condition on the list's size, which held
  std::size_t count = 0;
};
class Seen {
 public:
  Seen() = default;
  Seen(Absent) {}
  Seen(MarkCount size) : exists_(true), count_(size.count) {}
  Seen(Marks marks) : exists_(true), whole_(true), count_(marks.size()), marks_(std::move(marks)) {}

  bool absent() const { return !exists_; }
  std::size_t count() const { return count_; }                       // of its marks
  const Marks* marks() const { return whole_ ? &marks_ : nullptr; }  // null: not known, or absent

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
  Marks appended = {};  // none: the item was deleted

  bool deletes() const { return appended.empty(); }
};

// One call.  All its reads and writes are to have happened at one moment: the reads before the
// writes, unless what was read holds what was written, as what an update returns may.
struct Operation {
  std::string name = {};
  std::size_t thread = 0;
  Moment began = 0;
  Moment ended = 0;
  bool committed = true;  // else none of the writes was to happen; the reads did, all the same
  std::vector<ItemRead> reads = {};
  std::vector<ItemWrite> writes = {};
};

// Absence has one meaning for each item, so that a reader knows which absence it saw: either the
// item is absent at first and never deleted, or it is an empty list at first and, once it is
// deleted, nobody makes it again.
struct TrackedItem {
  std::string name = {};
  bool starts_absent = false;
};

struct History {
  std::vector<TrackedItem> items = {};
  std::vector<Operation> operations = {};
};

// One operation for people, as "#3 TransactWriteItems of thread 1, from 12 to 19: ...".
std::string Describe(const History& history, std::size_t operation);

// Collects what threads do.  Each thread has a log of its own, so that recording orders nothing but
// the moments.
class Recorder {
 public:
  // Threads are numbered from 0.  REQUIRES: threads <= 100
  Recorder(std::vector<TrackedItem> items, std::size_t threads);

  // To be called before the call, and with what came of it after the call, by one thread.
  Operation Begin(std::size_t thread, std::string name);
  void End(Operation operation);

  // A mark that was not used before; its last two digits are the thread.
  Mark NewMark(std::size_t thread);

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
