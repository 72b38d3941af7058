#include "tests/concurrent/serializability.h"

#include <algorithm>
#include <cassert>
#include <map>
#include <set>
#include <sstream>
#include <unordered_map>
#include <vector>

#include "tests/concurrent/precedence_graph.h"

namespace dolmen::test {
namespace {

using Verdict = std::optional<Violation>;

// The versions of one item. Version 0 is its initial state. Version i is its state after the i-th
// write.
struct Versions {
  Marks order;                                 // the longest list that a read returned
  std::size_t seen_by = 0;                     // the operation that read `order`
  std::vector<std::size_t> writers;            // the operation that wrote version i + 1
  std::map<std::size_t, std::size_t> by_size;  // the version with this number of marks
  std::optional<std::size_t> deleted_by;       // the last of the writers, if it was a deletion
  bool deletion_failed = false;                // a deletion of this item failed
};

class Checker {
 public:
  explicit Checker(const History& history)
      : history_(history), versions_(history.items.size()), graph_(history.operations.size()) {}

  Verdict Check() {
    if (auto verdict = IndexWrites()) return verdict;
    if (auto verdict = EachRead(&Checker::CheckMarks)) return verdict;
    if (auto verdict = EachRead(&Checker::CheckPrefix)) return verdict;
    for (std::size_t item = 0; item < versions_.size(); ++item) {
      if (auto verdict = CutIntoVersions(item)) return verdict;
    }
    if (auto verdict = FindLostWrite()) return verdict;
    if (auto verdict = EachRead(&Checker::PlaceRead)) return verdict;
    PlaceWrites();
    if (auto verdict = JudgeCycle(Anomaly::kCycle)) return verdict;
    graph_.AddRealTime(history_.operations);
    return JudgeCycle(Anomaly::kRealTimeCycle);
  }

 private:
  struct Append {
    std::size_t operation = 0;
    const ItemWrite* write = nullptr;
  };

  const std::string& NameOf(std::size_t item) const { return history_.items[item].name; }

  Violation Because(Anomaly anomaly, const std::string& reason,
                    const std::vector<std::size_t>& operations) const {
    std::string text = std::string(AnomalyName(anomaly)) + ": " + reason;
    for (const std::size_t operation : operations) {
      text += "\n  " + Describe(history_, operation);
    }
    return {anomaly, text};
  }

  // Returns the first violation that `check` finds among all reads, or nothing.
  Verdict EachRead(Verdict (Checker::*check)(std::size_t, const ItemRead&)) {
    for (std::size_t i = 0; i < history_.operations.size(); ++i) {
      for (const ItemRead& read : history_.operations[i].reads) {
        if (auto verdict = (this->*check)(i, read)) return verdict;
      }
    }
    return std::nullopt;
  }

  Verdict IndexWrites();
  Verdict IndexDeletion(std::size_t operation, std::size_t item);
  Verdict CheckMarks(std::size_t operation, const ItemRead& read);
  Verdict CheckPrefix(std::size_t operation, const ItemRead& read);
  Verdict CutIntoVersions(std::size_t item);
  Verdict FindLostWrite() const;
  Verdict CheckAbsence(std::size_t operation, const ItemRead& read) const;
  Verdict CheckSize(std::size_t operation, const ItemRead& read) const;
  std::size_t VersionOf(const ItemRead& read) const;
  Verdict PlaceRead(std::size_t operation, const ItemRead& read);
  void PlaceWrites();
  Verdict JudgeCycle(Anomaly anomaly) const;

  const History& history_;
  std::vector<Versions> versions_;  // by item
  std::unordered_map<Mark, Append> appends_;
  PrecedenceGraph graph_;
};

Verdict Checker::IndexWrites() {
  for (std::size_t i = 0; i < history_.operations.size(); ++i) {
    for (const ItemWrite& write : history_.operations[i].writes) {
      if (write.deletes()) {
        if (auto verdict = IndexDeletion(i, write.item)) return verdict;
      }
      for (const Mark mark : write.appended) {
        [[maybe_unused]] const bool is_new = appends_.try_emplace(mark, Append{i, &write}).second;
        assert(is_new);
      }
    }
  }
  return std::nullopt;
}

Verdict Checker::IndexDeletion(std::size_t operation, std::size_t item) {
  assert(!history_.items[item].starts_absent);
  Versions& versions = versions_[item];
  if (!history_.operations[operation].committed) {
    versions.deletion_failed = true;
  } else if (versions.deleted_by) {
    return Because(Anomaly::kDeletedTwice, NameOf(item) + " was deleted twice",
                   {*versions.deleted_by, operation});
  } else {
    versions.deleted_by = operation;
  }
  return std::nullopt;
}

// Checks that each mark was written to this item, by a committed operation, and is in the list
// once.
Verdict Checker::CheckMarks(std::size_t operation, const ItemRead& read) {
  const Marks* const marks = read.seen.marks();
  if (marks == nullptr) return std::nullopt;
  std::set<Mark> met;
  for (const Mark mark : *marks) {
    const std::string what = std::to_string(mark) + " in " + NameOf(read.item);
    const auto append = appends_.find(mark);
    if (append == appends_.end() || append->second.write->item != read.item) {
      return Because(Anomaly::kNobodyWroteIt, "no operation put " + what, {operation});
    }
    const std::size_t writer = append->second.operation;
    if (!history_.operations[writer].committed) {
      return Because(Anomaly::kAbortedRead, "the operation that put " + what + " failed",
                     {writer, operation});
    }
    if (!met.insert(mark).second) {
      return Because(Anomaly::kRepeatedMark, "the list holds two copies of " + what,
                     {writer, operation});
    }
  }
  Versions& versions = versions_[read.item];
  if (marks->size() > versions.order.size()) {
    versions.order = *marks;
    versions.seen_by = operation;
  }
  return std::nullopt;
}

Verdict Checker::CheckPrefix(std::size_t operation, const ItemRead& read) {
  const Marks* const marks = read.seen.marks();
  if (marks == nullptr) return std::nullopt;
  const Versions& versions = versions_[read.item];
  if (std::equal(marks->begin(), marks->end(), versions.order.begin())) return std::nullopt;
  return Because(Anomaly::kForkedOrder,
                 "neither of two lists of " + NameOf(read.item) + " is a prefix of the other",
                 {operation, versions.seen_by});
}

// Finds the versions of an item. For this, splits the longest list of marks that a read returned
// into the marks that each write appended.
// REQUIRES: each mark in this list was written to this item
Verdict Checker::CutIntoVersions(std::size_t item) {
  Versions& versions = versions_[item];
  const Marks& order = versions.order;
  if (!history_.items[item].starts_absent) versions.by_size[0] = 0;
  for (std::size_t at = 0; at < order.size();) {
    const Append& append = appends_.at(order[at]);
    const Marks& appended = append.write->appended;
    if (appended.size() > order.size() - at ||
        !std::equal(appended.begin(), appended.end(), &order[at])) {
      return Because(Anomaly::kIntermediateRead, NameOf(item) + " holds only a part of one append",
                     {append.operation, versions.seen_by});
    }
    at += appended.size();
    versions.writers.push_back(append.operation);
    versions.by_size[at] = versions.writers.size();
  }
  if (versions.deleted_by) versions.writers.push_back(*versions.deleted_by);
  return std::nullopt;
}

Verdict Checker::FindLostWrite() const {
  for (std::size_t i = 0; i < history_.operations.size(); ++i) {
    if (!history_.operations[i].committed) continue;
    for (const ItemWrite& write : history_.operations[i].writes) {
      const Marks& order = versions_[write.item].order;
      if (write.deletes() || std::ranges::find(order, write.appended[0]) != order.end()) continue;
      return Because(Anomaly::kLostWrite,
                     "no read returned the marks that were written to " + NameOf(write.item), {i});
    }
  }
  return std::nullopt;
}

Verdict Checker::CheckAbsence(std::size_t operation, const ItemRead& read) const {
  const Versions& versions = versions_[read.item];
  if (history_.items[read.item].starts_absent || versions.deleted_by) return std::nullopt;
  return Because(versions.deletion_failed ? Anomaly::kAbortedRead : Anomaly::kNobodyWroteIt,
                 NameOf(read.item) + " is absent, but no operation deleted it", {operation});
}

Verdict Checker::CheckSize(std::size_t operation, const ItemRead& read) const {
  const Versions& versions = versions_[read.item];
  const std::size_t size = read.seen.count();
  if (versions.by_size.contains(size)) return std::nullopt;
  if (size == 0) {
    return Because(Anomaly::kNobodyWroteIt,
                   NameOf(read.item) + " is an empty list, but no operation created it",
                   {operation});
  }
  if (size < versions.order.size()) {
    return Because(Anomaly::kIntermediateRead,
                   NameOf(read.item) + " holds only a part of one append",
                   {appends_.at(versions.order[size]).operation, operation});
  }
  return Because(Anomaly::kNobodyWroteIt,
                 NameOf(read.item) + " has more marks than any list that a read returned",
                 {operation});
}

// Returns the version that the read saw.
// REQUIRES: CheckAbsence or CheckSize found no violation
std::size_t Checker::VersionOf(const ItemRead& read) const {
  const Versions& versions = versions_[read.item];
  if (!read.seen.absent()) return versions.by_size.at(read.seen.count());
  return history_.items[read.item].starts_absent ? 0 : versions.writers.size();
}

// Adds edges for a read. The reader comes after the operation that wrote the version that the
// reader saw, and before the operation that wrote the next version.
Verdict Checker::PlaceRead(std::size_t operation, const ItemRead& read) {
  const Verdict verdict =
      read.seen.absent() ? CheckAbsence(operation, read) : CheckSize(operation, read);
  if (verdict) return verdict;
  const std::size_t version = VersionOf(read);
  const std::vector<std::size_t>& writers = versions_[read.item].writers;
  if (version > 0) {
    graph_.Add({writers[version - 1], operation, Precedence::kWriteRead, read.item});
  }
  if (version < writers.size()) {
    graph_.Add({operation, writers[version], Precedence::kReadWrite, read.item});
  }
  return std::nullopt;
}

void Checker::PlaceWrites() {
  for (std::size_t item = 0; item < versions_.size(); ++item) {
    const std::vector<std::size_t>& writers = versions_[item].writers;
    for (std::size_t i = 1; i < writers.size(); ++i) {
      graph_.Add({writers[i - 1], writers[i], Precedence::kWriteWrite, item});
    }
  }
}

Verdict Checker::JudgeCycle(Anomaly anomaly) const {
  const std::vector<PrecedenceGraph::Edge> cycle = graph_.FindCycle();
  if (cycle.empty()) return std::nullopt;
  std::ostringstream text;
  text << AnomalyName(anomaly)
       << ": each operation must come before the next one, and the last one "
       << "before the first";
  for (const PrecedenceGraph::Edge& edge : cycle) {
    text << "\n  " << Describe(history_, edge.from) << "\n    ";
    const auto next = " #" + std::to_string(edge.to);
    switch (edge.why) {
      case Precedence::kWriteWrite:
        text << "and its version of " << NameOf(edge.item) << " was replaced by" << next;
        break;
      case Precedence::kWriteRead:
        text << "and its version of " << NameOf(edge.item) << " was read by" << next;
        break;
      case Precedence::kReadWrite:
        text << "and the version of " << NameOf(edge.item) << " that it read was replaced by"
             << next;
        break;
      case Precedence::kRealTime:
        text << "and it had ended before the beginning of" << next;
        break;
    }
  }
  return Violation{anomaly, text.str()};
}

}  // namespace

std::string_view AnomalyName(Anomaly anomaly) {
  switch (anomaly) {
    case Anomaly::kNobodyWroteIt:
      return "read of a value that was never written";
    case Anomaly::kAbortedRead:
      return "aborted read";
    case Anomaly::kIntermediateRead:
      return "intermediate read";
    case Anomaly::kRepeatedMark:
      return "write that took effect twice";
    case Anomaly::kForkedOrder:
      return "two orders of one item's versions";
    case Anomaly::kLostWrite:
      return "lost write";
    case Anomaly::kDeletedTwice:
      return "deletion that took effect twice";
    case Anomaly::kCycle:
      return "not serializable";
    case Anomaly::kRealTimeCycle:
      return "serializable, but not in an order that agrees with real time";
  }
  return "unknown";
}

std::optional<Violation> CheckSerializability(const History& history) {
  return Checker(history).Check();
}

}  // namespace dolmen::test
