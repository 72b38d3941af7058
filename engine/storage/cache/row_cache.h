// A cache of rows above RocksDB. It knows which ranges of keys it holds completely, so it can
// answer a query of a range, and knows that a row does not exist.
//
// The cache has entries of two kinds: an entry for the keys of one partition, and an entry for a
// single row. Each entry holds stretches: ranges of keys with all their rows (stretch.h). Reads
// fill the cache. Writes change the entries that hold their rows (cache_entry.h has the protocol),
// and add none. README.md describes the whole.

#pragma once

#include <rocksdb/slice.h>

#include <atomic>
#include <boost/container/small_vector.hpp>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "dolmen/stats.h"
#include "engine/key/encoded_key.h"
#include "engine/storage/cache/cache_entry.h"
#include "engine/storage/cache/entry_table.h"
#include "engine/storage/cache/zeroed_array.h"
#include "engine/storage/write_batch.h"

namespace dolmen::engine {

// Thread-safe.
class RowCache {
 public:
  // The cache takes at most about `bytes` of memory. `latest_sequence` belongs to the RocksDB
  // database whose rows are cached; its cost is part of each read.
  RowCache(std::size_t bytes, LatestSequence latest_sequence, bool checks_reads = false);

  // The cached rows of a range: those from `begin` to `end`. They live as long as the Reader that
  // found them, and longer if a PinnedRows pins the stretch. `entry_key` borrows from the range.
  struct CachedRange {
    const Stretch* stretch;
    RowPosition begin;
    RowPosition end;
    std::string_view entry_key;  // the start of the stored keys, which the keys of rows leave out
    bool is_whole;  // false: the range has more keys, which are unknown, at the reader's far end

    // Returns `range`, in which the rows were found, without the keys at the reader's end that have no row.
    KeyRange WithoutGap(const KeyRange& range, bool forward) const;
  };

  // A read of the cache. It takes no lock. For one thread. Keep it for a short time only.
  class Reader {
   public:
    explicit Reader(RowCache& cache) : cache_(cache), guard_(cache.memory_.reclaimer) {}

    // Returns the cached rows at the start of the range, or at its end if `forward` is false.
    // Returns nothing if the rows at this end are unknown. The rows are the state of the store at a
    // moment of this call.
    std::optional<CachedRange> Find(const KeyRange& range, bool forward);
    // Reads the row. Returns true and sets `*value` if it exists, false if it does not exist, and
    // nothing if the cache does not know. `*value` pins the cached bytes.
    std::optional<bool> Get(std::string_view key, rocksdb::PinnableSlice* value);
    // Reads the rows one after the other, as Get() does. Returns false if one of them is unknown.
    bool GetAll(std::span<const EncodedKey> keys, std::span<rocksdb::PinnableSlice> values,
                std::vector<bool>* found);
    // Returns true if no write has changed the rows that the last call found, or hidden them.
    bool IsStillVisible() const { return entry_ != nullptr && entry_->Visible() == stretches_; }

    void CountHit() {
      if (guard_) guard_.CountHit();
    }
    void CountMiss() {
      if (guard_) guard_.CountMiss();
    }

   private:
    // Sets stretches_ to the visible stretches of the entry with this key. Returns false if the
    // entry does not exist or has no visible stretches.
    bool Look(std::string_view entry_key, std::uint64_t hash);
    // Reads the row from the entry with the key `entry_key`, a prefix of the row's key, as Get() does.
    std::optional<bool> GetIn(std::string_view entry_key, std::uint64_t hash, std::string_view key,
                              rocksdb::PinnableSlice* value);

    RowCache& cache_;
    Reclaimer::Guard guard_;
    CacheEntry* entry_ = nullptr;
    const StretchSet* stretches_ = nullptr;
  };

  // A read of RocksDB that fills the cache. Create it before the cursor, or before the call of Get.
  // For one thread.
  class Fill {
   public:
    // Begins a fill for the entry of the range, or of the row. Does nothing if a read of this row, or
    // from this end of the range, is seen for the first time, or if a write to the entry is in flight
    // that does not know the entry. Such a fill is not active.
    Fill(RowCache& cache, const KeyRange& range, bool forward);
    Fill(RowCache& cache, std::string_view row);
    ~Fill();
    Fill(const Fill&) = delete;
    Fill& operator=(const Fill&) = delete;

    bool active() const { return entry_ != nullptr; }
    // The most bytes that are worth to keep for Finish().
    std::size_t bytes_max() const { return cache_.memory_.entry_bytes_max; }
    // Returns the number of bytes of a stored key that the keys of rows leave out.
    std::size_t prefix_bytes() const { return entry_->key().size(); }

    // Adds the rows, which are all rows of `range` in key order. Their keys, and the bounds of the
    // range, lack the first prefix_bytes(). REQUIRES: active(), and the rows are items.
    void Finish(KnownRange range, std::span<const CachedRow> rows);

   private:
    void Begin(std::string_view entry_key);

    RowCache& cache_;
    CacheEntry* entry_ = nullptr;
    PendingStretch pending_;
  };

  // A write to RocksDB. Create it before the write. For one thread.
  class Write {
   public:
    // Notes which cached rows the write changes. `cache` may be null. Borrows the batch's bytes and
    // its rows, and forgets all cached rows of the ranges, which the write deletes.
    Write(RowCache* cache, std::string_view batch, std::span<const WrittenRow> rows,
          std::span<const KeyRange> deleted);
    // Forgets the rows that the write changes unless Commit() was called.
    ~Write();
    Write(const Write&) = delete;
    Write& operator=(const Write&) = delete;

    // Changes the cached rows and makes them visible. Call it once RocksDB shows the write.
    void Commit();

   private:
    // A row of an entry that the write has begun to change.
    struct Touched {
      CacheEntry* entry;
      const WrittenRow* row;
    };

    // A group of partitions, with the counts of this write in it.
    struct Counted {
      PartitionGroup* group;
      std::uint64_t counts;
    };

    // Touches the entries of the row.
    void Touch(const WrittenRow& row);
    // Returns false if there is no entry with this key.
    bool TouchEntry(std::string_view entry_key, std::uint64_t hash, const WrittenRow& row);
    void End();

    RowCache* const cache_;
    const std::string_view batch_;
    boost::container::small_vector<Touched, 8> touched_;
    boost::container::small_vector<Counted, 8> counted_;
    bool deletes_ranges_ = false;
  };

  // True only in tests: readers read RocksDB again after each read that the cache answered. A difference is
  // kCorruption, unless a write has changed the rows meanwhile.
  bool checks_reads() const { return checks_reads_; }

  // Sets the row cache's part of the statistics.
  void AddTo(DatabaseStats* stats) const;

 private:
  static constexpr std::size_t kGroups = 1024;

  // Returns the group of the partition with this hash.
  PartitionGroup& GroupOf(std::uint64_t partition_hash) {
    return groups_[partition_hash % kGroups];
  }
  // Returns true if the same read was seen before, and notes it. May forget reads.
  bool NoteRead(std::uint64_t hash);
  void ForgetRange(const KeyRange& range);

  const bool checks_reads_;
  // The writes in flight that knew no entry when they began: a fill that might miss such a write does
  // not begin. The entries for single rows: without one in the group, no read or write looks for it.
  // Lives longer than the entries, which the memory may free last.
  ZeroedArray<PartitionGroup> groups_;
  CacheMemory memory_;
  EntryTable table_;
  std::atomic<std::uint32_t> range_deletions_ = 0;      // in flight
  ZeroedArray<std::atomic<std::uint16_t>> reads_seen_;  // parts of the hashes of reads
};

}  // namespace dolmen::engine
