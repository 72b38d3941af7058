// A cursor that skips blocks that cannot be read.

#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "dolmen/result.h"
#include "engine/key/encoded_key.h"
#include "engine/storage/cursor.h"
#include "engine/storage/store.h"

namespace dolmen::engine {

// Returns true if the error says that stored data is damaged, has a newer format, or cannot be read
// from the disk.
bool IsUnreadable(const Status& status);

// A forward Cursor that resumes after a block that cannot be read. Does not fill RocksDB's block
// cache. For one thread. Must not outlive its Store and its snapshot.
class SalvagingCursor {
 public:
  // A run of blocks that cannot be read. The keys are views that live during the call of the
  // handler.
  struct Gap {
    std::string_view before;  // the last key before the gap; empty: the gap begins the range
    std::string_view after;   // the first key after it; empty: the cursor ends within the gap
    Status status;
  };
  using GapHandler = std::function<void(const Gap&)>;
  // A function that decides whether the cursor resumes at the key `next`: true means that it
  // resumes.
  using StepHandler = std::function<bool(const EncodedKey& next)>;

  // Calls `on_gap` once for each run of blocks that cannot be read. A run may have very many
  // blocks. The caller can stop within a run: the cursor calls `on_step` after each unreadable
  // block, before it tries to resume, and ends if `on_step` returns false.
  SalvagingCursor(const Store& store, const KeyRange& range, const Snapshot& snapshot,
                  GapHandler on_gap, StepHandler on_step);

  void SeekToFirst();

  // Returns false after the last readable row.
  bool Valid() const { return cursor_.Valid(); }
  // Returns the error that ended the read, or ok. A block that cannot be read is not an error.
  Status status() const { return at_end_ ? Status() : cursor_.status(); }
  // REQUIRES: Valid()
  void Next();
  // Return views that live until the cursor moves. REQUIRES: Valid()
  std::string_view key() const { return cursor_.key(); }
  std::string_view value() const { return cursor_.value(); }

 private:
  // If the block at the cursor cannot be read, resumes at the next row that can be read.
  void SkipGap();

  const Store& store_;
  KeyRange rest_;  // the part of the range in which the cursor may resume
  const GapHandler on_gap_;
  const StepHandler on_step_;
  Cursor cursor_;
  std::string last_key_;  // the key before the cursor's key; marks the start of a gap
  bool at_end_ = false;   // true if the cursor ended within a gap
};

// Returns the message for a gap, such as "items between {PK: "a"} and {PK: "b"} can't be read:
// ...".
template <typename TextOf>
std::string GapText(std::string what, const SalvagingCursor::Gap& gap, TextOf text_of) {
  if (!gap.before.empty() && !gap.after.empty()) {
    what.append(" between ").append(text_of(gap.before)).append(" and ").append(text_of(gap.after));
  } else if (!gap.before.empty()) {
    what.append(" after ").append(text_of(gap.before));
  } else if (!gap.after.empty()) {
    what.append(" before ").append(text_of(gap.after));
  }
  return what.append(" can't be read: ").append(gap.status.message());
}

}  // namespace dolmen::engine
