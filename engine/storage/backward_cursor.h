// A cursor that reads the rows of a range from the last to the first.

#pragma once

#include <cstddef>
#include <optional>
#include <string_view>

#include "dolmen/result.h"
#include "engine/key/encoded_key.h"
#include "engine/storage/cursor.h"
#include "engine/storage/page_starts.h"
#include "engine/storage/store.h"

namespace dolmen::engine {

// A Cursor that moves only backward. If a page was read before, this cursor reads the page again as
// fast as a forward cursor.
//
// PageStarts remembers the key at which the page began. The cursor reads forward from that key,
// copies the rows, and returns the copies from the last to the first. The remembered key is a
// hint. If too many rows follow it, the cursor discards the copies and reads backward. If too few
// rows follow it, the cursor reads the rest backward. The rows are the same in each case.
//
// For one thread. Must not outlive its Store.
class BackwardCursor {
 public:
  // Reads the state of the store at construction, or the state of `snapshot`, which must outlive
  // the cursor. `rows` is the maximum number of rows that the caller expects to read, or nothing
  // if the number is unknown. The caller may read more rows.
  BackwardCursor(const Store& store, const KeyRange& range, std::optional<std::size_t> rows,
                 const Snapshot* snapshot = nullptr);

  void SeekToLast();

  // Returns false before the first seek, before the range's first row, and after an error.
  bool Valid() const { return copies_left_ > 0 || cursor_.Valid(); }
  // Returns the error that ended the read, or ok.
  // - kCorruption, kStorage: a file cannot be read.
  Status status() const { return cursor_.status(); }
  // REQUIRES: Valid()
  void Previous();

  // Return views that live until the cursor moves. REQUIRES: Valid()
  std::string_view key() const {
    return copies_left_ > 0 ? copies_.key(copies_left_ - 1) : cursor_.key();
  }
  std::string_view value() const {
    return copies_left_ > 0 ? copies_.value(copies_left_ - 1) : cursor_.value();
  }

 private:
  // Copies the rows from `start` to the range's end. Returns false if there are no rows, if there
  // are too many to copy, or after an error.
  bool CopyFrom(const EncodedKey& start);
  // Adds the current row to rows_seen_. If rows_seen_ reaches rows_expected_, the page begins at
  // the current row, and page_starts_ remembers the row's key.
  void CountRow();

  Cursor cursor_;
  CopiedRows& copies_;  // owned by the cursor
  // The number of copies that the cursor has not passed. The current row is the last of them; 0
  // means that the current row is not a copy.
  std::size_t copies_left_ = 0;
  PageStarts& page_starts_;          // owned by the store
  const std::size_t rows_expected_;  // 0: unknown, or too few to remember the start
  PageStarts::PageId page_ = 0;
  std::size_t rows_seen_ = 0;
  std::size_t bytes_seen_ = 0;
};

}  // namespace dolmen::engine
