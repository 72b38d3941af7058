// Two cursors for plans that a single Cursor (engine/storage/cursor.h) cannot read. One merges
// several partitions, the other reads one segment of a Scan. Both have those methods of Cursor that
// the reader of a page calls.

#pragma once

#include <memory>
#include <string>
#include <string_view>
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

}  // namespace dolmen::engine
