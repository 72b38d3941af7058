// The most frequent keys of a sequence of keys, in bounded memory.

#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <set>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

namespace dolmen::wire {

// A Space-Saving sketch (Metwally, Agrawal and El Abbadi, 2005): it has a fixed number of counters. A
// key without a counter takes the counter with the least count, and keeps that count as its error. So
// after N keys and with C counters:
// - the count of a key is at least its true number, and at most this number plus the error,
// - an error is at most N / C,
// - each key with a true number above N / C has a counter.
// Not thread-safe.
class HeavyHitters {
 public:
  explicit HeavyHitters(std::size_t counters_max) : counters_max_(counters_max) {}

  void Add(std::string_view key) {
    ++total_;
    if (const auto known = counters_.find(key); known != counters_.end()) {
      auto node = by_count_.extract({known->second.count, known->first});
      node.value().first = ++known->second.count;
      by_count_.insert(std::move(node));
      return;
    }
    Counter counter{.count = 1};
    if (counters_.size() == counters_max_) {
      const auto [least, replaced] = *by_count_.begin();
      by_count_.erase(by_count_.begin());
      counters_.erase(counters_.find(replaced));
      counter = {.count = least + 1, .error = least};
    }
    const auto added = counters_.emplace(key, counter).first;
    by_count_.emplace(counter.count, added->first);
  }

  struct Entry {
    std::string key = {};
    std::uint64_t count = 0;
    std::uint64_t error = 0;  // the count is too large by at most this number
  };
  // Returns the `count_max` keys with the greatest counts, the greatest first.
  std::vector<Entry> Top(std::size_t count_max) const {
    std::vector<Entry> top;
    for (auto counter = by_count_.rbegin(); counter != by_count_.rend() && top.size() < count_max;
         ++counter) {
      const auto& [count, key] = *counter;
      top.push_back({std::string(key), count, counters_.find(key)->second.error});
    }
    return top;
  }

  // Returns the number of calls of Add.
  std::uint64_t total() const { return total_; }

 private:
  struct Hash {
    using is_transparent = void;
    std::size_t operator()(std::string_view text) const {
      return std::hash<std::string_view>()(text);
    }
  };
  struct Counter {
    std::uint64_t count = 0;
    std::uint64_t error = 0;
  };

  const std::size_t counters_max_;
  std::uint64_t total_ = 0;
  std::unordered_map<std::string, Counter, Hash, std::equal_to<>> counters_;
  // The counts with their keys, which are views of the keys in counters_.
  std::set<std::pair<std::uint64_t, std::string_view>> by_count_;
};

}  // namespace dolmen::wire
