// The entries of the row cache, found by their keys.

#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string_view>
#include <vector>

#include "engine/base/mutex.h"
#include "engine/storage/cache/cache_entry.h"
#include "engine/storage/cache/zeroed_array.h"

namespace dolmen::engine {

// A hash table of entries that evicts those that were not used for the longest time (the clock
// method). Thread-safe. Callers need a Reclaimer::Guard for the entries that they get.
class EntryTable {
 public:
  explicit EntryTable(CacheMemory& memory);

  // Returns the entry with this key, or null. Takes no lock.
  CacheEntry* Find(std::string_view key, std::uint64_t hash) const {
    CacheEntry* entry = buckets_[hash & bucket_mask_].load();
    while (entry != nullptr && (entry->hash() != hash || entry->key() != key)) {
      entry = entry->next.load();
    }
    return entry;
  }

  // Returns the entry with this key. Adds an empty entry if the table has no such entry. `group` is
  // that of CacheEntry.
  CacheEntry* FindOrAdd(std::string_view key, std::uint64_t hash, PartitionGroup* group);

  // Removes entries until the cache takes at most its bytes. Keeps entries that a write or a read
  // of RocksDB uses. Does nothing if another thread evicts entries now.
  void Evict();

  // Calls `change` for every entry. No entry is added or removed meanwhile.
  template <typename Change>
  void ForEach(Change change) {
    const MutexLock lock(mutex_);
    for (const std::shared_ptr<CacheEntry>& entry : entries_) change(*entry);
  }

  // Returns the number of entries that were removed because the cache was full.
  std::uint64_t evictions() const { return evictions_.load(std::memory_order_relaxed); }

 private:
  // Removes the entry at this position. Returns false if the entry is in use.
  bool TryRemove(std::size_t position) DOLMEN_REQUIRES(mutex_);

  CacheMemory& memory_;
  const std::size_t bucket_mask_;
  ZeroedArray<std::atomic<CacheEntry*>> buckets_;
  std::atomic<std::uint64_t> evictions_ = 0;
  Mutex mutex_;
  std::vector<std::shared_ptr<CacheEntry>> entries_ DOLMEN_GUARDED_BY(mutex_);
  std::size_t hand_ DOLMEN_GUARDED_BY(mutex_) = 0;  // the next entry to look at for eviction
};

}  // namespace dolmen::engine
