// Walking the keys of a range from its end.

#pragma once

#include <cstddef>
#include <optional>
#include <string_view>

#include "dolmen/status.h"
#include "engine/key/encoded_key.h"
#include "engine/storage/cursor.h"
#include "engine/storage/page_starts.h"
#include "engine/storage/store.h"

namespace dolmen::engine {

// A Cursor that goes backward only, and faster if it has been there before: then it reads the rows
// that are wanted forward, from where they began, keeps copies, and hands these out from the last
// to the first.  Where they began is a guess: if too many rows come after it nothing is copied, if
// too few the rest is read backward.
class BackwardCursor {
 public:
  // `rows` is how many the caller will want at most, if that is known; more can be had.
  BackwardCursor(const Store& store, const KeyRange& range, std::optional<std::size_t> rows,
                 const Snapshot* snapshot = nullptr);

  void SeekToLast();

  // As Cursor's.
  bool Valid() const { return left_ > 0 || cursor_.Valid(); }
  Status status() const { return cursor_.status(); }
  void Previous();
  std::string_view key() const { return left_ > 0 ? copies_.key(left_ - 1) : cursor_.key(); }
  std::string_view value() const { return left_ > 0 ? copies_.value(left_ - 1) : cursor_.value(); }

 private:
  bool CopyFrom(const EncodedKey& start);
  void CountRow();

  Cursor cursor_;
  CopiedRows& copies_;    // the cursor's
  std::size_t left_ = 0;  // how many of the copies are still to be handed out
  PageStarts& starts_;
  const std::size_t rows_;  // 0: where they begin is of no use
  PageStarts::PageId page_ = 0;
  std::size_t rows_seen_ = 0;
  std::size_t bytes_seen_ = 0;
};

}  // namespace dolmen::engine
