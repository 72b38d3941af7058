// Cursors for plans that a single Cursor (engine/storage/cursor.h) cannot read. One merges several
// partitions, and one reads one segment of a Scan. Two read in the orders of a simulation. All have
// those methods of Cursor that the reader of a page calls.

#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "dolmen/attribute_value.h"
#include "dolmen/result.h"
#include "engine/read/read_plan.h"
#include "engine/storage/cursor.h"

namespace dolmen::engine {

// A cursor that merges several partitions of a plan. It orders the keys by the bytes that follow
// the partition key. Keys in which these bytes are equal are in the order of their partitions. For
// one thread; must not outlive the store and the snapshot.
class MergingCursor {
 public:
  MergingCursor(const Store& store, const ReadPlan& plan, const Snapshot& snapshot);

  void SeekToFirst();
  void SeekToLast();
  bool Valid() const { return current_ != nullptr; }
  Status status() const;
  void Next();
  void Previous();
  std::string_view key() const { return current_->cursor->key(); }
  std::string_view value() const { return current_->cursor->value(); }
  // Returns the position, in ReadPlan::ranges, of the range that holds the current value.
  // REQUIRES: Valid()
  std::size_t range() const { return static_cast<std::size_t>(current_ - runs_.data()); }

 private:
  // The rows of one partition, with their own cursor.
  struct Run {
    std::unique_ptr<Cursor> cursor;
    std::size_t partition_bytes;  // the length of keyspace and partition key in each key

    // Returns the part of the current key that follows the partition key.
    std::string_view key_after_partition() const { return cursor->key().substr(partition_bytes); }
  };

  void ChooseFirst();
  void ChooseLast();
  template <typename ComesBefore>
  void Choose(ComesBefore comes_before);

  std::vector<Run> runs_;   // in the order of their partitions
  Run* current_ = nullptr;  // null: not valid
};

// A cursor over the partitions that belong to the plan's segment of a Scan. It skips all other
// partitions. For one thread; must not outlive the store and the snapshot.
class SegmentCursor {
 public:
  SegmentCursor(const Store& store, const ReadPlan& plan, const Snapshot* snapshot);

  void SeekToFirst();
  bool Valid() const { return cursor_.Valid(); }
  Status status() const { return cursor_.status(); }
  void Next();
  std::string_view key() const { return cursor_.key(); }
  std::string_view value() const { return cursor_.value(); }

 private:
  void SkipOtherSegments();
  void SkipPartition();

  Cursor cursor_;
  const ScanSegment segment_;
  const std::size_t partition_attributes_;
  std::string partition_;          // the current partition; it belongs to the segment
  std::string skipped_partition_;  // the partition that is being skipped
};

// A cursor over the partitions of the plan's segment, in the order of a hash of their keys and of
// of a seed. The rows of one partition are in their usual order. It finds all
// partitions before it reads the first row, so each page costs a pass over the whole table. For one
// thread; must not outlive the store and the snapshot.
class HashOrderCursor {
 public:
  HashOrderCursor(const Store& store, const ReadPlan& plan, std::uint64_t seed,
                  const Snapshot* snapshot);

  void SeekToFirst();
  bool Valid() const { return current_ < partitions_.size() && cursor_.Valid(); }
  Status status() const { return cursor_.status(); }
  void Next();
  std::string_view key() const { return cursor_.key(); }
  std::string_view value() const { return cursor_.value(); }

 private:
  using HashAndPartition = std::pair<std::uint64_t, std::string>;

  // Return the partition of a key, as the start of the key up to the end of its partition key.
  std::string_view PartitionOf(std::string_view key) const;
  HashAndPartition WithHash(std::string_view partition) const;

  void FindPartitions();
  // Moves to the first row of the current partition.
  void SeekToPartition();
  // Returns true if the cursor is at a row of the current partition.
  bool IsInPartition() const;

  Cursor cursor_;
  const ScanSegment segment_;
  const std::uint64_t seed_;
  const std::size_t partition_attributes_;
  // The first key that may follow the start key of the Scan. Without a start key it is the number
  // of the keyspace.
  const EncodedKey start_;
  std::vector<HashAndPartition> partitions_;  // in the order of the cursor
  std::size_t current_ = 0;                   // a position in partitions_
};

// The order of the entries with equal index keys: that of a hash of their whole keys and of a seed.
// A backward read has the reverse order. For one thread.
class EqualKeyOrder {
 public:
  // A copy of an index entry.
  struct Entry {
    std::uint64_t hash;
    std::string key;
    std::string value;
  };

  // `start` is the start key of the request, or is empty. If it is not empty, the plan's range is
  // extended to all entries with the index key of `start`, because the cursor must read them to
  // find their order. The plan must outlive the order.
  // REQUIRES: the plan reads one range of an index, and ApplyStartKey(start, plan) has succeeded.
  EqualKeyOrder(const Item& start, std::uint64_t seed, ReadPlan* plan);

  bool forward() const { return plan_.forward; }
  // Returns the start of an entry's key, up to the end of its index key.
  std::string_view IndexKeyOf(std::string_view key) const;
  // Adds a copy of the entry to `entries`. Adds nothing if the start key is the key of this entry
  // or of a later one.
  void AddTo(std::vector<Entry>* entries, std::string_view key, std::string_view value) const;
  // Sorts entries with equal index keys, in the direction of the plan.
  void Sort(std::vector<Entry>* entries) const;

 private:
  Entry EntryOf(std::string_view key, std::string_view value) const;
  bool ComesBefore(const Entry& a, const Entry& b) const;

  const ReadPlan& plan_;
  const std::uint64_t seed_;
  Entry start_ = {};  // its key is empty if the request has no start key
};

// A cursor that returns the entries of an index with equal index keys in the order of a hash
// (EqualKeyOrder). It holds copies of all entries with one index key in memory. `Base` is a cursor
// that reads entries with equal index keys one after the other. For one thread.
template <typename Base>
class EqualKeyCursor {
 public:
  // Borrows both.
  EqualKeyCursor(Base* base, const EqualKeyOrder& order) : base_(*base), order_(order) {}

  void SeekToFirst() {
    base_.SeekToFirst();
    Load([this] { base_.Next(); });
  }
  void SeekToLast() {
    base_.SeekToLast();
    Load([this] { base_.Previous(); });
  }
  bool Valid() const { return current_ < entries_.size(); }
  Status status() const { return base_.status(); }
  // REQUIRES: Valid()
  void Next() {
    if (++current_ == entries_.size()) Load([this] { base_.Next(); });
  }
  void Previous() {
    if (++current_ == entries_.size()) Load([this] { base_.Previous(); });
  }
  // Return views that live until the cursor moves. REQUIRES: Valid()
  std::string_view key() const { return entries_[current_].key; }
  std::string_view value() const { return entries_[current_].value; }

 private:
  // Copies the next entries of `base_` that have equal index keys. `step` moves `base_`.
  template <typename Step>
  void Load(Step step) {
    current_ = 0;
    entries_.clear();
    while (entries_.empty() && base_.Valid()) {
      const std::string index_key(order_.IndexKeyOf(base_.key()));
      for (; base_.Valid() && base_.key().starts_with(index_key); step()) {
        order_.AddTo(&entries_, base_.key(), base_.value());
      }
    }
    order_.Sort(&entries_);
    if (!base_.status().ok()) entries_.clear();  // some of them are missing
  }

  Base& base_;
  const EqualKeyOrder& order_;
  std::vector<EqualKeyOrder::Entry> entries_;
  std::size_t current_ = 0;  // a position in entries_
};

}  // namespace dolmen::engine
