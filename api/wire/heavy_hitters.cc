#include "wire/heavy_hitters.h"

namespace dolmen::wire {

void HeavyHitters::Add(std::string_view key) {
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

std::vector<HeavyHitters::Entry> HeavyHitters::Top(std::size_t count_max) const {
  std::vector<Entry> top;
  for (auto counter = by_count_.rbegin(); counter != by_count_.rend() && top.size() < count_max;
       ++counter) {
    const auto& [count, key] = *counter;
    top.push_back({std::string(key), count, counters_.find(key)->second.error});
  }
  return top;
}

}  // namespace dolmen::wire
