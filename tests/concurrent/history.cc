#include "tests/concurrent/history.h"

#include <algorithm>
#include <cassert>
#include <iterator>
#include <sstream>
#include <unordered_set>
#include <utility>

namespace dolmen::test {
namespace {

constexpr std::size_t kThreadsMax = 100;
constexpr std::size_t kMarksShown = 8;  // the last marks; all readers agree on the earlier marks

void DescribeMarks(const Marks& marks, std::ostream& out) {
  const std::size_t hidden = marks.size() > kMarksShown ? marks.size() - kMarksShown : 0;
  out << '[';
  if (hidden > 0) out << hidden << " more";
  for (std::size_t i = hidden; i < marks.size(); ++i) out << (i > 0 ? ", " : "") << marks[i];
  out << ']';
}

void DescribeRead(const History& history, const ItemRead& read, std::ostream& out) {
  out << "\n      saw " << history.items[read.item].name << ' ';
  if (read.seen.absent()) {
    out << "absent";
  } else if (const Marks* const marks = read.seen.marks()) {
    DescribeMarks(*marks, out);
  } else {
    out << "with " << read.seen.count() << " marks";
  }
}

void DescribeWrite(const History& history, const ItemWrite& write, std::ostream& out) {
  const std::string& name = history.items[write.item].name;
  if (write.deletes()) {
    out << "\n      deletes " << name;
    return;
  }
  out << "\n      appends ";
  DescribeMarks(write.appended, out);
  out << " to " << name;
}

// Decides if the operations with an unclear outcome took effect.
void SettleUnclear(std::vector<Operation>* operations) {
  std::unordered_set<Mark> seen;
  for (const Operation& operation : *operations) {
    for (const ItemRead& read : operation.reads) {
      if (read.seen.marks() != nullptr) {
        seen.insert(read.seen.marks()->begin(), read.seen.marks()->end());
      }
    }
  }
  for (Operation& operation : *operations) {
    if (!operation.unclear) continue;
    operation.committed = std::ranges::any_of(operation.writes, [&](const ItemWrite& write) {
      return std::ranges::any_of(write.appended, [&](Mark mark) { return seen.contains(mark); });
    });
    if (!operation.committed) operation.reads.clear();
  }
}

}  // namespace

std::string Describe(const History& history, std::size_t operation) {
  const Operation& it = history.operations[operation];
  std::ostringstream out;
  out << '#' << operation << ' ' << it.name << " of thread " << it.thread << ", from " << it.began
      << " to " << it.ended << (it.committed ? "" : ", which failed") << ':';
  for (const ItemRead& read : it.reads) DescribeRead(history, read, out);
  for (const ItemWrite& write : it.writes) DescribeWrite(history, write, out);
  return out.str();
}

Recorder::Recorder(std::vector<TrackedItem> items, std::size_t threads)
    : items_(std::move(items)), logs_(threads) {
  assert(threads <= kThreadsMax);
}

Operation Recorder::Begin(std::size_t thread, std::string name) {
  return {.name = std::move(name), .thread = thread, .began = now_.fetch_add(1)};
}

void Recorder::End(Operation operation) {
  operation.ended = now_.fetch_add(1);
  logs_[operation.thread].operations.push_back(std::move(operation));
}

Mark Recorder::NewMark(std::size_t thread) {
  return ++logs_[thread].marks * static_cast<Mark>(kThreadsMax) + static_cast<Mark>(thread);
}

History Recorder::Take() {
  History history{.items = items_};
  for (Log& log : logs_) {
    history.operations.insert(history.operations.end(),
                              std::make_move_iterator(log.operations.begin()),
                              std::make_move_iterator(log.operations.end()));
    log.operations.clear();
  }
  SettleUnclear(&history.operations);
  return history;
}

}  // namespace dolmen::test
