#include "engine/read/cached_cursor.h"

#include <string>
#include <utility>
#include <vector>

namespace dolmen::engine {

void FillingCursor::Keep() {
  if (!cursor_.Valid() || is_too_large_) return;
  rows_.Append(cursor_.key().substr(fill_.prefix_bytes()), cursor_.value());
  is_too_large_ = rows_.bytes() > fill_.bytes_max();
}

void FillingCursor::Finish(bool forward) {
  if (is_too_large_) return;
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
  std::vector<CachedRow> rows;
  rows.reserve(rows_.size());
  for (std::size_t i = 0; i < rows_.size(); ++i) {
    const std::size_t place = forward ? i : rows_.size() - 1 - i;
    rows.push_back({rows_.key(place), rows_.value(place)});
  }
  fill_.Finish(std::move(known), rows);
}

}  // namespace dolmen::engine
