// An entry of the row cache: the cached rows of one partition, or one cached row.

#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "engine/base/mutex.h"
#include "engine/storage/cache/reclaimer.h"
#include "engine/storage/cache/stretch_set.h"

namespace dolmen::engine {

// A read of RocksDB whose rows will become a stretch of an entry. It notes the rows that writes
// change meanwhile. Owned by the reading thread; guarded by the mutex of its entry.
struct PendingStretch {
  struct WrittenRow {
    std::string key;
    std::optional<std::string> value;  // nothing: deleted
  };
  std::vector<WrittenRow> written;  // in the order of the writes
  bool is_stale = false;            // true: the rows that the read returns must not be cached
};

// Returns the number of RocksDB's latest visible write. It may be called from any thread.
using LatestSequence = std::function<std::uint64_t()>;

// The memory of a cache and the numbers of writes, which all of its entries share. Thread-safe.
struct CacheMemory {
  CacheMemory(std::size_t cache_bytes, LatestSequence sequence)
      : bytes_max(cache_bytes), latest_sequence(std::move(sequence)) {}

  const std::size_t bytes_max;
  // The most bytes of one entry. An entry that would take more forgets its cached ranges of rows.
  const std::size_t entry_bytes_max = bytes_max / 8;
  const LatestSequence latest_sequence;
  std::atomic<std::size_t> bytes = 0;  // the sum over all entries
  Reclaimer reclaimer = {};
};

// A group of partitions, those whose hashes select it: counts of their writes and entries. All counts are parts of one number, so
// that a change of one count and the read of another are one step.
using PartitionGroup = std::atomic<std::uint64_t>;
// A write in flight that knows no entry for its partition.
inline constexpr std::uint64_t kPartitionWrite = 1;
// A write in flight that knows no entry for its single row.
inline constexpr std::uint64_t kRowWrite = std::uint64_t{1} << 21;
// An entry for a single row.
inline constexpr std::uint64_t kRowEntry = std::uint64_t{1} << 42;

// The stretches of all stored keys that begin with the entry's key.
//
// The visible stretches hold exactly what RocksDB shows at every moment at which they are visible.
// Before a write is committed to RocksDB, it notes RocksDB's latest sequence number. From then on
// the stretches are visible only while RocksDB has this number, because a greater number may mean
// that RocksDB shows the write. After the commit, the write changes the stretches and makes them
// visible again. A second write that begins meanwhile hides them until both have ended. A reader
// that finds nothing visible reads RocksDB. So no two readers see a write in an order that
// contradicts the time. Two writes that overlap in time must not write the same row; the locks of
// rows ensure this (engine/write/lock_table.h).
//
// Thread-safe. A reader needs a Reclaimer::Guard that began before it found the entry.
class CacheEntry {
 public:
  // `group` counts this entry until the entry is destroyed, if the entry holds a single row.
  CacheEntry(std::string_view key, std::uint64_t hash, PartitionGroup* group, CacheMemory& memory);
  ~CacheEntry();
  CacheEntry(const CacheEntry&) = delete;
  CacheEntry& operator=(const CacheEntry&) = delete;

  const std::string& key() const { return key_; }
  std::uint64_t hash() const { return hash_; }

  // Returns the visible stretches, or null. Takes no lock. The stretches live until the end of the
  // caller's guard, and were visible at a moment of this call.
  const StretchSet* Visible() const;
  // Notes that a reader has used the entry, and returns and clears the note.
  void NoteUse() {
    if (!used_.load(std::memory_order_relaxed)) used_.store(true, std::memory_order_relaxed);
  }
  bool TakeUse() { return used_.exchange(false, std::memory_order_relaxed); }

  // Begins a write of one row. Call it before the commit. Returns false if the entry was removed.
  // Otherwise the caller must call EndWrite(), and the entry is not removed before.
  bool BeginWrite();
  // Ends a write that RocksDB has committed. No value means that the row is deleted.
  void EndWrite(std::string_view row, std::optional<std::string_view> value);
  // Ends a write that has failed. Forgets all cached ranges of rows, because it is not known whether
  // RocksDB holds the write.
  void AbandonWrite();

  // Begins a read of RocksDB. The reader must create its cursor afterwards. Returns false if the
  // entry was removed. Otherwise the caller must call EndFill(), and the entry is not removed
  // before.
  bool BeginFill(PendingStretch* pending);
  // Ends the read. Adds the stretch and the rows that were written meanwhile, unless `pending` is
  // stale or `stretch` is null.
  void EndFill(PendingStretch* pending, StretchRef stretch);

  // Forgets all stretches, and makes the running reads of RocksDB stale.
  void Forget();

  // Marks the entry as removed and hides its stretches. Returns false if a write or a read of
  // RocksDB uses the entry. The caller then must not remove it.
  bool TryRemove();

  // The next entry of the same bucket. Guarded by the mutex of the table; readers follow the
  // pointers without it.
  std::atomic<CacheEntry*> next = nullptr;

 private:
  static constexpr std::uint64_t kAlways = std::numeric_limits<std::uint64_t>::max();

  // Replaces the stretches, or forgets them if they are too large, and makes them visible if no
  // write is in flight.
  void Replace(StretchSetRef stretches) DOLMEN_REQUIRES(mutex_);
  void MakeStale() DOLMEN_REQUIRES(mutex_);

  const std::string key_;
  const std::uint64_t hash_;
  PartitionGroup* const group_;  // null: the entry holds a partition
  CacheMemory& memory_;
  std::atomic<const StretchSet*> visible_ = nullptr;  // owned by stretches_; null: hidden
  // The sequence number at which visible_ is visible, or kAlways if no write is in flight.
  std::atomic<std::uint64_t> visible_at_ = kAlways;
  std::atomic<bool> used_ = false;
  Mutex mutex_;
  std::size_t bytes_ DOLMEN_GUARDED_BY(mutex_);  // this entry's part of memory_.bytes
  StretchSetRef stretches_ DOLMEN_GUARDED_BY(mutex_) = std::make_shared<StretchSet>();
  int writes_in_flight_ DOLMEN_GUARDED_BY(mutex_) = 0;
  std::vector<PendingStretch*> pending_ DOLMEN_GUARDED_BY(mutex_);
  bool removed_ DOLMEN_GUARDED_BY(mutex_) = false;
};

}  // namespace dolmen::engine
