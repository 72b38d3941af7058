#include "engine/storage/cache/reclaimer.h"

#include <algorithm>
#include <limits>
#include <thread>
#include <utility>

namespace dolmen::engine {
namespace {

// The number and the bytes of retired objects at which the reclaimer looks for objects to free.
constexpr std::size_t kRetiredMin = 32;
constexpr std::size_t kRetiredBytesMin = std::size_t{512} << 10;

// Returns the place at which the current thread looks for a free slot first.
std::size_t FirstPlace() {
  static std::atomic<std::size_t> threads = 0;
  thread_local const std::size_t place = threads.fetch_add(1, std::memory_order_relaxed);
  return place;
}

}  // namespace

// All operations on the epochs and on the pointers to shared objects are sequentially consistent.
// Either a reader enters before OldestReader() looks at its slot, or the reader enters later and
// then cannot find an object that was unlinked before.
Reclaimer::Slot* Reclaimer::Enter() {
  const std::size_t first = FirstPlace();
  for (std::size_t i = 0; i < kSlots; ++i) {
    Slot& slot = slots_[(first + i) % kSlots];
    std::uint64_t free = 0;
    if (slot.epoch.compare_exchange_strong(free, epoch_.load())) return &slot;
  }
  return nullptr;
}

Reclaimer::Guard Reclaimer::Guard::Wait(Reclaimer& reclaimer) {
  for (;;) {
    if (Slot* const slot = reclaimer.Enter(); slot != nullptr) return Guard(slot);
    std::this_thread::yield();
  }
}

std::uint64_t Reclaimer::OldestReader() const {
  std::uint64_t oldest = std::numeric_limits<std::uint64_t>::max();
  for (const Slot& slot : slots_) {
    const std::uint64_t epoch = slot.epoch.load();
    if (epoch != 0) oldest = std::min(oldest, epoch);
  }
  return oldest;
}

void Reclaimer::Retire(std::shared_ptr<const void> object, std::size_t bytes) {
  std::vector<Retired> freed;  // destroyed after the unlocking
  const MutexLock lock(mutex_);
  retired_.push_back({epoch_.fetch_add(1), std::move(object), bytes});
  retired_bytes_ += bytes;
  if (retired_.size() < kRetiredMin && retired_bytes_ < kRetiredBytesMin) return;
  const std::uint64_t oldest = OldestReader();
  const auto is_used = [&](const Retired& retired) { return retired.epoch >= oldest; };
  const auto first_used = std::find_if(retired_.begin(), retired_.end(), is_used);
  freed.assign(std::move_iterator(retired_.begin()), std::move_iterator(first_used));
  retired_.erase(retired_.begin(), first_used);
  for (const Retired& retired : freed) retired_bytes_ -= retired.bytes;
}

Reclaimer::Counts Reclaimer::counts() const {
  Counts sum;
  for (const Slot& slot : slots_) {
    sum.hits += slot.hits.load(std::memory_order_relaxed);
    sum.misses += slot.misses.load(std::memory_order_relaxed);
  }
  return sum;
}

}  // namespace dolmen::engine
