// Two cursors for the range of a Query: one over rows in the row cache, and one that fills the row
// cache. Both have those methods of Cursor that the reader of a page calls.

#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/read/page_writer.h"
#include "engine/read/start_key.h"
#include "engine/storage/cache/row_cache.h"
#include "engine/storage/cursor.h"

namespace dolmen::engine {

// A cursor over cached rows. For one thread. Must not outlive the Reader that found the rows.
class CachedCursor {
 public:
  explicit CachedCursor(const RowCache::CachedRange& rows) : rows_(rows) {}

  void SeekToFirst() {
    current_ = rows_.begin;
    valid_ = current_ != rows_.end;
  }
  void SeekToLast() {
    current_ = rows_.end;
    Previous();
  }
  bool Valid() const { return valid_; }
  Status status() const { return {}; }
  // REQUIRES: Valid()
  void Next() {
    rows_.stretch->Next(&current_);
    valid_ = current_ != rows_.end;
  }
  void Previous() {
    valid_ = current_ != rows_.begin;
    if (valid_) rows_.stretch->Previous(&current_);
  }
  // Prefetches a row of the next block, unless the current row is so large that a reader may need
  // only a part of it. REQUIRES: Valid()
  [[gnu::always_inline]] void PrefetchAhead(bool forward) const {
    if (value().size() <= RowBlock::kBytesMax) rows_.stretch->PrefetchAhead(current_, forward);
  }
  // Returns true if the cursor has passed the cached rows, but the range has more keys.
  bool ran_out() const { return !valid_ && !rows_.is_whole; }

  // The number of rows that AddTo() has added, and DynamoDB's size of their items.
  struct AddedRows {
    std::uint32_t count = 0;
    std::uint64_t item_bytes = 0;
  };
  // Adds rows to the page, from the first row on or from the last row back, up to the row with which
  // the page has `rows_max` rows or reaches `bytes_max`. The cursor then stands at this row. If
  // no such row exists, the cursor is not valid.
  // REQUIRES: the page has pinned the stretch, and rows_max > 0
  AddedRows AddTo(internal::PageWriter* page, bool forward, std::uint32_t rows_max,
                  std::uint64_t bytes_max);

  // Returns a view of the stored key that lives as long as the stretch. REQUIRES: Valid()
  StoredKey key() const { return {rows_.entry_key, rows_.stretch->key(current_)}; }
  // Returns a view that lives as long as the stretch. REQUIRES: Valid()
  std::string_view value() const { return rows_.stretch->value(current_); }
  const Stretch* stretch() const { return rows_.stretch; }

 private:
  const RowCache::CachedRange rows_;
  RowPosition current_;
  bool valid_ = false;
};

// Copied rows, stored one after the other in one string. For one thread.
class CopiedRows {
 public:
  void Append(std::string_view key, std::string_view value) {
    rows_.push_back({bytes_.size(), key.size(), value.size()});
    bytes_.append(key).append(value);
  }

  std::size_t size() const { return rows_.size(); }
  std::size_t bytes() const { return bytes_.size(); }

  // Return views that live until the next Append(). REQUIRES: i < size()
  std::string_view key(std::size_t i) const {
    return std::string_view(bytes_).substr(rows_[i].start, rows_[i].key_bytes);
  }
  std::string_view value(std::size_t i) const {
    return std::string_view(bytes_).substr(rows_[i].start + rows_[i].key_bytes,
                                           rows_[i].value_bytes);
  }

 private:
  struct Row {
    std::size_t start;
    std::size_t key_bytes;
    std::size_t value_bytes;
  };

  std::string bytes_;
  std::vector<Row> rows_;
};

// A cursor that keeps the rows that it passes, and gives them to the row cache. For one thread.
class FillingCursor {
 public:
  // `fill` must be active. Reads the state of the store at construction, or that of a snapshot which is younger than the
  // fill.
  FillingCursor(const Store& store, const KeyRange& range, const Snapshot* snapshot,
                RowCache::Fill* fill)
      : range_(range), fill_(*fill), cursor_(store, range, snapshot) {}

  void SeekToFirst() {
    cursor_.SeekToFirst();
    Keep();
  }
  void SeekToLast() {
    cursor_.SeekToLast();
    Keep();
  }
  bool Valid() const { return cursor_.Valid(); }
  Status status() const { return cursor_.status(); }
  void Next() {
    cursor_.Next();
    Keep();
  }
  void Previous() {
    cursor_.Previous();
    Keep();
  }
  std::string_view key() const { return cursor_.key(); }
  std::string_view value() const { return cursor_.value(); }

  // Reads on until the rows fill a block, so that a program that takes one row after the other finds the next ones in the
  // cache.
  void ReadAhead(bool forward);
  // Gives the rows to the cache: all rows of the range, or those up to the current row. Does nothing after an error.
  void Finish(bool forward);

 private:
  void Keep();

  const KeyRange range_;
  RowCache::Fill& fill_;
  Cursor cursor_;
  CopiedRows rows_;
  bool is_too_large_ = false;
};

}  // namespace dolmen::engine
