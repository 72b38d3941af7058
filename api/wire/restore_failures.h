// The restores of tables that have failed after the response to their request.

#pragma once

#include <cstddef>
#include <deque>
#include <string>
#include <string_view>
#include <utility>

#include "engine/base/mutex.h"

namespace dolmen::wire {

// The last failures of the restores of one database, by the name of the table that they were to
// create. Such a table does not exist, and a client that waits for it learns the reason from the error
// of DescribeTable. Thread-safe.
class RestoreFailures {
 public:
  // The number of failures that are kept. A new failure replaces the oldest one.
  static constexpr std::size_t kFailuresMax = 50;

  // Keeps the text for the table, in place of an earlier one.
  void Add(std::string_view table, std::string text) DOLMEN_EXCLUDES(mutex_) {
    Remove(table);
    const MutexLock lock(mutex_);
    if (failures_.size() == kFailuresMax) failures_.pop_front();
    failures_.emplace_back(table, std::move(text));
  }
  // Forgets the failure, because the table exists or is being restored again.
  void Remove(std::string_view table) DOLMEN_EXCLUDES(mutex_) {
    const MutexLock lock(mutex_);
    std::erase_if(failures_, [&](const auto& failure) { return failure.first == table; });
  }
  // Returns the text for the table, or "" if no restore of it has failed.
  std::string Find(std::string_view table) const DOLMEN_EXCLUDES(mutex_) {
    const MutexLock lock(mutex_);
    for (const auto& [name, text] : failures_) {
      if (name == table) return text;
    }
    return {};
  }

 private:
  mutable Mutex mutex_;
  std::deque<std::pair<std::string, std::string>> failures_ DOLMEN_GUARDED_BY(mutex_);
};

}  // namespace dolmen::wire
