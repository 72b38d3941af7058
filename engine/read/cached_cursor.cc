#include "engine/read/cached_cursor.h"

#include <string>
#include <utility>
#include <vector>

namespace dolmen::engine {

CachedCursor::AddedRows CachedCursor::AddTo(internal::PageWriter* page, bool forward,
                                            std::uint32_t rows_max, std::uint64_t bytes_max) {
  const Stretch& stretch = *rows_.stretch;
  AddedRows added;
  // Adds the current row, and returns true if it is the page's last row.
  const auto add = [&](const RowBlock& block) {
    added.item_bytes += block.item_bytes(current_.row);
    page->AddPinned(block.value(current_.row));
    return ++added.count == rows_max || added.item_bytes >= bytes_max;
  };
  current_ = forward ? rows_.begin : rows_.end;
  const RowPosition last = forward ? rows_.end : rows_.begin;
  valid_ = true;
  while (current_ != last) {
    if (!forward && current_.row == 0) current_ = stretch.EndOf(current_.block - 1);
    const RowBlock& block = stretch.block(current_);
    if (current_.block != last.block) stretch.PrefetchNextList(current_, forward);
    if (forward) {
      const RowPosition behind = stretch.EndOf(current_.block);
      const std::size_t end = current_.block == last.block ? last.row : behind.row;
      for (; current_.row < end; ++current_.row) {
        if (add(block)) return added;
      }
      if (end == behind.row) current_ = {current_.block + 1, 0};
    } else {
      const std::size_t begin = current_.block == last.block ? last.row : 0;
      while (current_.row > begin) {
        --current_.row;
        if (add(block)) return added;
      }
    }
  }
  valid_ = false;
  return added;
}

void FillingCursor::Keep() {
  if (!cursor_.Valid() || is_too_large_) return;
  rows_.Append(cursor_.key().substr(fill_.prefix_bytes()), cursor_.value());
  is_too_large_ = rows_.bytes() > fill_.bytes_max();
}

void FillingCursor::ReadAhead(bool forward) {
  while (cursor_.Valid() && rows_.size() < RowBlock::kRowsMax &&
         rows_.bytes() < RowBlock::kBytesMax) {
    forward ? Next() : Previous();
  }
}

void FillingCursor::Finish(bool forward) {
  if (is_too_large_ || !cursor_.status().ok()) return;
  const std::string_view prefix = range_.lower.bytes().substr(0, fill_.prefix_bytes());
  const std::string_view upper = range_.upper.bytes();
  KnownRange known{std::string(range_.lower.bytes().substr(prefix.size())), std::nullopt};
  if (upper.starts_with(prefix)) known.upper = upper.substr(prefix.size());
  if (cursor_.Valid()) {
    // The rows behind the current row are unknown.
    const std::string_view key = cursor_.key().substr(prefix.size());
    if (forward) {
      known.upper = std::string(key) + '\0';
    } else {
      known.lower = key;
    }
  }
  if (known.lower == known.upper) return;  // nothing was learnt
  std::vector<CachedRow> rows;
  rows.reserve(rows_.size());
  for (std::size_t i = 0; i < rows_.size(); ++i) {
    const std::size_t place = forward ? i : rows_.size() - 1 - i;
    rows.push_back({rows_.key(place), rows_.value(place)});
  }
  fill_.Finish(std::move(known), rows);
}

}  // namespace dolmen::engine
