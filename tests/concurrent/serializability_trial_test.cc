// Compares the checker with a trial, which executes the operations of a history in each possible
// order. A history is valid if one of the orders gives the recorded reads and agrees with real
// time. The histories are random and small. Some are valid, and some are not.

#include <gtest/gtest.h>

#include <algorithm>
#include <iostream>
#include <map>
#include <numeric>
#include <optional>
#include <string>
#include <vector>

#include "tests/concurrent/serializability.h"
#include "tests/support/random.h"

namespace dolmen::test {
namespace {

using Contents = std::vector<std::optional<Marks>>;  // by item

Contents StartOf(const History& history) {
  Contents contents;
  for (const TrackedItem& item : history.items) {
    contents.push_back(item.starts_absent ? std::nullopt : std::optional<Marks>(Marks()));
  }
  return contents;
}

bool IsSeen(const std::optional<Marks>& there, const Seen& seen) {
  if (!there || seen.absent()) return !there && seen.absent();
  return seen.marks() == nullptr ? there->size() == seen.count() : *there == *seen.marks();
}

void Write(const ItemWrite& write, Contents& contents) {
  std::optional<Marks>& there = contents[write.item];
  if (write.deletes()) {
    there = std::nullopt;
    return;
  }
  if (!there) there = Marks();
  there->insert(there->end(), write.appended.begin(), write.appended.end());
}

// Returns true if the operations, executed in this order, read what they recorded.
bool Explains(const History& history, const std::vector<std::size_t>& order) {
  Contents contents = StartOf(history);
  for (const std::size_t i : order) {
    const Operation& operation = history.operations[i];
    for (const ItemRead& read : operation.reads) {
      if (!IsSeen(contents[read.item], read.seen)) return false;
    }
    if (!operation.committed) continue;
    for (const ItemWrite& write : operation.writes) {
      if (!contents[write.item] && !history.items[write.item].starts_absent) return false;
      Write(write, contents);
    }
  }
  return true;
}

bool AgreesWithTime(const History& history, const std::vector<std::size_t>& order) {
  for (std::size_t i = 0; i < order.size(); ++i) {
    for (std::size_t j = 0; j < i; ++j) {
      if (history.operations[order[i]].ended < history.operations[order[j]].began) return false;
    }
  }
  return true;
}

struct Trial {
  bool serializable = false;
  bool strictly = false;
};

Trial TryAllOrders(const History& history) {
  std::vector<std::size_t> order(history.operations.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  Trial trial;
  do {
    if (!Explains(history, order)) continue;
    trial.serializable = true;
    if (AgreesWithTime(history, order)) return {true, true};
  } while (std::ranges::next_permutation(order).found);
  return trial;
}

class SerializabilityTrialTest : public SeededTest {
 protected:
  // Returns a random history. The function simulates the operations one at a time, usually in an
  // order that agrees with real time, and sometimes in a random order. Sometimes it lets an
  // operation read an old version, or lets a failed operation write.
  History RandomHistory() {
    History history{.items = {{.name = "x"}, {.name = "new", .starts_absent = true}}};
    const std::size_t count = 2 + random_.Below(4);
    history.operations.resize(count);
    const std::vector<std::size_t> order = PlaceInTime(&history.operations);
    std::vector<Contents> states = {StartOf(history)};
    marks_ = 0;
    for (const std::size_t i : order) {
      Operation& operation = history.operations[i];
      operation.name = "operation";
      operation.thread = i;
      operation.committed = !random_.OneIn(6);
      states.push_back(states.back());
      for (std::size_t item = 0; item < history.items.size(); ++item) {
        if (!random_.OneIn(4)) Choose(item, history.items[item], states, &operation);
      }
      if (!operation.committed && !random_.OneIn(10)) continue;
      for (const ItemWrite& write : operation.writes) Write(write, states.back());
    }
    history.operations.push_back(LastLook(states.back(), 2 * count));
    return history;
  }

 private:
  // Gives each operation a random begin and end. Returns the order in which to execute the
  // operations.
  std::vector<std::size_t> PlaceInTime(std::vector<Operation>* operations) {
    std::vector<std::size_t> events;
    for (std::size_t i = 0; i < operations->size(); ++i) events.insert(events.end(), {i, i});
    random_.Shuffle(&events);
    std::vector<std::size_t> order;
    std::vector<int> met(operations->size(), 0);
    for (std::size_t at = 0; at < events.size(); ++at) {
      Operation& operation = (*operations)[events[at]];
      const bool begins = met[events[at]]++ == 0;
      (begins ? operation.began : operation.ended) = at;
      // Inserts the operation at a random position after all operations that ended before the
      // operation began.
      if (begins) order.insert(order.begin() + LaterThanEnded(order, met), events[at]);
    }
    if (random_.OneIn(4)) random_.Shuffle(&order);
    return order;
  }

  // Returns a random position after all operations in `order` that have ended.
  std::ptrdiff_t LaterThanEnded(const std::vector<std::size_t>& order,
                                const std::vector<int>& met) {
    std::size_t first = 0;
    for (std::size_t i = 0; i < order.size(); ++i) {
      if (met[order[i]] == 2) first = i + 1;
    }
    return static_cast<std::ptrdiff_t>(first + random_.Below(order.size() - first + 1));
  }

  // Chooses what an operation does with one item. The operation reads the newest of `states`, or
  // sometimes an older one.
  void Choose(std::size_t item, const TrackedItem& tracked, const std::vector<Contents>& states,
              Operation* operation) {
    const std::size_t age = random_.OneIn(6) ? random_.Below(states.size()) : 0;
    const std::optional<Marks>& seen = states[states.size() - 1 - age][item];
    const bool may_write = states.back()[item] || tracked.starts_absent;
    const bool deletes = may_write && seen && !tracked.starts_absent && random_.OneIn(8);
    if (deletes) {
      operation->reads.push_back({item, *seen});
      operation->writes.push_back({item});
      return;
    }
    if (!random_.OneIn(3)) operation->reads.push_back({item, AsSeen(seen)});
    if (!may_write || random_.OneIn(2)) return;
    operation->writes.push_back({item, {++marks_}});
    if (random_.OneIn(4)) operation->writes.back().appended.push_back(++marks_);
  }

  Seen AsSeen(const std::optional<Marks>& there) {
    if (!there) return Absent{};
    if (random_.OneIn(3)) return MarkCount{there->size()};
    return *there;
  }

  Operation LastLook(const Contents& contents, Moment now) {
    Operation look{.name = "last look", .began = now, .ended = now + 1};
    for (std::size_t item = 0; item < contents.size(); ++item) {
      look.reads.push_back({item, contents[item] ? Seen(*contents[item]) : Seen(Absent{})});
    }
    return look;
  }

  Mark marks_ = 0;
};

std::string Whole(const History& history) {
  std::string text;
  for (std::size_t i = 0; i < history.operations.size(); ++i) text += Describe(history, i) + "\n";
  return text;
}

TEST_F(SerializabilityTrialTest, AgreesWithATrialOfAllOrders) {
  std::map<std::string, int> verdicts;
  for (std::size_t i = TestSteps(5'000); i > 0; --i) {
    const History history = RandomHistory();
    const Trial trial = TryAllOrders(history);
    const auto violation = CheckSerializability(history);
    ASSERT_EQ(!violation.has_value(), trial.strictly)
        << Whole(history) << (violation ? violation->text : "no violation found");
    if (violation) {
      ASSERT_EQ(violation->anomaly == Anomaly::kRealTimeCycle, trial.serializable)
          << Whole(history) << violation->text;
    }
    ++verdicts[violation ? std::string(AnomalyName(violation->anomaly)) : "good"];
  }
  for (const auto& [verdict, count] : verdicts) std::cout << count << " times " << verdict << "\n";
}

}  // namespace
}  // namespace dolmen::test
