#include "engine/storage/cache/entry_table.h"

#include <algorithm>
#include <bit>
#include <utility>

namespace dolmen::engine {
namespace {

// The bytes of a small entry. The table has a bucket for each of them that fits into the cache, so
// that most buckets have one entry or none.
constexpr std::size_t kSmallEntryBytes = 1024;
// The buckets of a table at most, 128 MB. A cache may be larger than the memory.
constexpr std::size_t kBucketsMax = std::size_t{1} << 24;

std::size_t BucketCount(std::size_t cache_bytes) {
  return std::bit_ceil(std::clamp<std::size_t>(cache_bytes / kSmallEntryBytes, 16, kBucketsMax));
}

}  // namespace

EntryTable::EntryTable(CacheMemory& memory)
    : memory_(memory), bucket_mask_(BucketCount(memory.bytes_max) - 1), buckets_(bucket_mask_ + 1) {
  memory_.bytes += buckets_.size() * sizeof(buckets_[0]);
}

CacheEntry* EntryTable::FindOrAdd(std::string_view key, std::uint64_t hash, PartitionGroup* group) {
  const MutexLock lock(mutex_);
  if (CacheEntry* const entry = Find(key, hash); entry != nullptr) return entry;
  auto added = std::make_shared<CacheEntry>(key, hash, group, memory_);
  std::atomic<CacheEntry*>& bucket = buckets_[hash & bucket_mask_];
  added->next.store(bucket.load());
  bucket.store(added.get());
  entries_.push_back(added);
  return added.get();
}

bool EntryTable::TryRemove(std::size_t position) {
  CacheEntry* const entry = entries_[position].get();
  if (!entry->TryRemove()) return false;
  std::atomic<CacheEntry*>* link = &buckets_[entry->hash() & bucket_mask_];
  while (link->load() != entry) link = &link->load()->next;
  link->store(entry->next.load());
  memory_.reclaimer.Retire(std::exchange(entries_[position], std::move(entries_.back())),
                           sizeof(CacheEntry));
  entries_.pop_back();
  return true;
}

void EntryTable::Evict() {
  if (memory_.bytes.load(std::memory_order_relaxed) <= memory_.bytes_max) return;
  if (!mutex_.TryLock()) return;
  // Each entry is looked at twice at most: once to clear the note of its use, once to remove it.
  for (std::size_t looks = 2 * entries_.size();
       looks > 0 && !entries_.empty() && memory_.bytes.load() > memory_.bytes_max; --looks) {
    if (hand_ >= entries_.size()) hand_ = 0;
    if (!entries_[hand_]->TakeUse() && TryRemove(hand_)) {
      evictions_.fetch_add(1, std::memory_order_relaxed);
    } else {
      ++hand_;
    }
  }
  mutex_.Unlock();
}

}  // namespace dolmen::engine
