// Cursors over more than a run of keys: several runs as one, and one segment's share of a run. They
// have the methods of Cursor (engine/storage/cursor.h) that reading a page needs.

#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "engine/read/read_plan.h"
#include "engine/storage/cursor.h"

namespace dolmen::engine {

// The partitions of a plan, merged: in the order of what follows the partition keys.
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
  // Of the plan's ranges the one that has the value.
  std::size_t range() const { return static_cast<std::size_t>(current_ - runs_.data()); }

 private:
  struct Run {
    std::unique_ptr<Cursor> cursor;
    std::size_t partition_bytes;

    std::string_view rest() const { return cursor->key().substr(partition_bytes); }
  };

  void ChooseFirst();
  void ChooseLast();
  template <typename ComesBefore>
  void Choose(ComesBefore comes_before);

  std::vector<Run> runs_;  // in the order of their partitions
  Run* current_ = nullptr;
};

// The partitions of a Scan's segment.
class SegmentCursor {
 public:
  SegmentCursor(const Store& store, const ReadPlan& plan, const Snapshot* snapshot);

  void SeekToFirst();
  bool Valid() const { return cursor_.Valid(); }
  Status status() const { return cursor_.status(); }
  void Next();
  std::string_view value() const { return cursor_.value(); }

 private:
  void SkipOthers();
  void SkipPartition();

  Cursor cursor_;
  const ScanSegment segment_;
  const std::size_t partition_attributes_;
  std::string own_;      // the partition that the cursor is in
  std::string skipped_;  // and one that it is not
};

}  // namespace dolmen::engine
