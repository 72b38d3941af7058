#include "wire/restore_failures.h"

namespace dolmen::wire {

void RestoreFailures::Add(std::string_view table, std::string text) {
  Remove(table);
  const MutexLock lock(mutex_);
  if (failures_.size() == kFailuresMax) failures_.pop_front();
  failures_.emplace_back(table, std::move(text));
}

void RestoreFailures::Remove(std::string_view table) {
  const MutexLock lock(mutex_);
  std::erase_if(failures_, [&](const auto& failure) { return failure.first == table; });
}

std::string RestoreFailures::Find(std::string_view table) const {
  const MutexLock lock(mutex_);
  for (const auto& [name, text] : failures_) {
    if (name == table) return text;
  }
  return {};
}

}  // namespace dolmen::wire
