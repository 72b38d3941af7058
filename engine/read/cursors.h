// Cursors of plans that read more, or less, than one run of keys: several partitions, and a segment
// of a Scan.  They have the methods of Cursor (engine/storage/cursor.h) that reading a page needs.

#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "engine/read/read_plan.h"
#include "engine/storage/cursor.h"

namespace dolmen::engine {

// A cursor over several partitions of a plan, merged.  The keys are ordered by their bytes after
// the partition key.  Keys with equal bytes are in the order of their partitions.  For one thread;
// must not outlive the store and the snapshot.
class MergingCursor {
 public:
  MergingCursor(const Store& store, const ReadPlan& plan, const Snapshot& snapshot);

  void SeekToFirst();
  void SeekToLast();
  bool Valid() const { return current_ != nullptr; }
  Status status() const;
  void Next();
  void Previous();
  std::string_view value() const { return current_->cursor->value(); }
  // Returns the position, among the plan's ranges, of the range that holds the value.
  // REQUIRES: Valid()
  std::size_t range() const { return static_cast<std::size_t>(current_ - runs_.data()); }

 private:
  // One partition, with its own cursor.
  struct Run {
    std::unique_ptr<Cursor> cursor;
    std::size_t partition_bytes;  // the length of keyspace and partition key in each key

    // Returns the key after its partition key.
    std::string_view key_after_partition() const { return cursor->key().substr(partition_bytes); }
  };

  void ChooseFirst();
  void ChooseLast();
  template <typename ComesBefore>
  void Choose(ComesBefore comes_before);

  std::vector<Run> runs_;   // in the order of their partitions
  Run* current_ = nullptr;  // null: not valid
};

// A cursor over the partitions that belong to the plan's segment of a Scan.  It passes over all
// others.  For one thread; must not outlive the store and the snapshot.
class SegmentCursor {
 public:
  SegmentCursor(const Store& store, const ReadPlan& plan, const Snapshot* snapshot);

  void SeekToFirst();
  bool Valid() const { return cursor_.Valid(); }
  Status status() const { return cursor_.status(); }
  void Next();
  std::string_view value() const { return cursor_.value(); }

 private:
  void SkipOtherSegments();
  void SkipPartition();

  Cursor cursor_;
  const ScanSegment segment_;
  const std::size_t partition_attributes_;
  std::string partition_;          // the partition of the segment at which the cursor stands
  std::string skipped_partition_;  // the partition that is being passed over
};

}  // namespace dolmen::engine
