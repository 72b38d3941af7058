// Cursors for plans that a single Cursor (engine/storage/cursor.h) cannot read. One merges several
// partitions, one reads one segment of a Scan, and one reads a Scan in the order of a hash. All
// have those methods of Cursor that the reader of a page calls.

#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

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
// ScanSegment::order_seed. The rows of one partition are in their usual order. It finds all
// partitions before it reads the first row, so each page costs a pass over the whole table. For one
// thread; must not outlive the store and the snapshot.
class HashOrderCursor {
 public:
  // REQUIRES: plan.segment has an order_seed
  HashOrderCursor(const Store& store, const ReadPlan& plan, const Snapshot* snapshot);

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
  const std::size_t partition_attributes_;
  // The first key that may follow the start key of the Scan. Without a start key it is the number
  // of the keyspace.
  const EncodedKey start_;
  std::vector<HashAndPartition> partitions_;  // in the order of the cursor
  std::size_t current_ = 0;                   // a position in partitions_
};

}  // namespace dolmen::engine
