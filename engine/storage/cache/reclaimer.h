// Memory that readers may still use after it was replaced. Readers take no lock, so a writer must
// not free an object at once. The method is known as epoch-based reclamation.

#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "engine/base/mutex.h"

namespace dolmen::engine {

// Frees retired objects once no reader can use them any more. Thread-safe.
class Reclaimer {
 private:
  struct alignas(64) Slot {
    std::atomic<std::uint64_t> epoch = 0;  // 0: free; otherwise the epoch at which its reader began
    std::atomic<std::uint64_t> hits = 0;
    std::atomic<std::uint64_t> misses = 0;
  };

 public:
  // The time in which a reader uses shared objects. An object that the reader finds during this
  // time is not freed before the Guard's end. For one thread.
  class Guard {
   public:
    explicit Guard(Reclaimer& reclaimer) : slot_(reclaimer.Enter()) {}
    // Makes a valid guard. Waits while too many readers are active.
    static Guard Wait(Reclaimer& reclaimer);
    ~Guard() {
      if (slot_ != nullptr) slot_->epoch.store(0, std::memory_order_release);
    }
    Guard(const Guard&) = delete;
    Guard& operator=(const Guard&) = delete;

    // Returns false if too many readers are active. The reader must not use shared objects then.
    explicit operator bool() const { return slot_ != nullptr; }
    // Count the reader's outcome. REQUIRES: the guard is valid.
    void CountHit() { Increment(slot_->hits); }
    void CountMiss() { Increment(slot_->misses); }

   private:
    // No other thread writes to the counters of the slot now.
    static void Increment(std::atomic<std::uint64_t>& counter) {
      counter.store(counter.load(std::memory_order_relaxed) + 1, std::memory_order_relaxed);
    }

    explicit Guard(Slot* slot) : slot_(slot) {}

    Slot* slot_;
  };

  struct Counts {
    std::uint64_t hits = 0;
    std::uint64_t misses = 0;
  };

  // Frees the object, which takes `bytes` of memory, once every Guard that exists now has ended. A
  // few objects stay until later calls.
  // REQUIRES: a reader that begins now cannot find the object.
  void Retire(std::shared_ptr<const void> object, std::size_t bytes);

  // Returns the sums over all readers.
  Counts counts() const;

 private:
  static constexpr std::size_t kSlots = 128;  // the most readers at one time

  struct Retired {
    std::uint64_t epoch;  // readers that began in this epoch or earlier may use the object
    std::shared_ptr<const void> object;
    std::size_t bytes;
  };

  // Takes a slot. Returns null if all slots are taken.
  Slot* Enter();
  // Returns the epoch of the reader that began first, or a number greater than any epoch if no
  // reader is active.
  std::uint64_t OldestReader() const;

  std::array<Slot, kSlots> slots_;
  std::atomic<std::uint64_t> epoch_ = 1;
  Mutex mutex_;
  std::vector<Retired> retired_ DOLMEN_GUARDED_BY(mutex_);  // in the order of their epochs
  std::size_t retired_bytes_ DOLMEN_GUARDED_BY(mutex_) = 0;
};

}  // namespace dolmen::engine
