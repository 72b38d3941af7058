#include "engine/storage/backward_cursor.h"

#include <string>

namespace dolmen::engine {
namespace {

// Fewer rows than this take as long backward as forward.
constexpr std::size_t kRowsMin = 8;
// The copies must fit into the processor's cache.
constexpr std::size_t kCopiedBytesMax = std::size_t{128} << 10;

}  // namespace

BackwardCursor::BackwardCursor(const Store& store, const KeyRange& range,
                               std::optional<std::size_t> rows, const Snapshot* snapshot)
    : cursor_(store, range, snapshot),
      copies_(cursor_.copies()),
      starts_(store.page_starts()),
      rows_(rows && *rows >= kRowsMin ? *rows : 0) {
  if (rows_ > 0) page_ = PageStarts::IdOf(range, rows_);
}

void BackwardCursor::SeekToLast() {
  left_ = 0;
  rows_seen_ = 0;
  bytes_seen_ = 0;
  const std::optional<EncodedKey> start =
      rows_ > 0 ? starts_.Find(page_) : std::optional<EncodedKey>();
  if (start && CopyFrom(*start)) {
    left_ = copies_.size();
  } else {
    if (start) starts_.Forget(page_);
    cursor_.SeekToLast();
  }
  if (Valid()) CountRow();
}

bool BackwardCursor::CopyFrom(const EncodedKey& start) {
  copies_.Clear();
  for (cursor_.Seek(start); cursor_.Valid(); cursor_.Next()) {
    copies_.Append(cursor_.key(), cursor_.value());
    if (copies_.size() > 2 * rows_ || copies_.bytes() > kCopiedBytesMax) return false;
  }
  return copies_.size() > 0 && cursor_.status().ok();
}

void BackwardCursor::Previous() {
  if (left_ == 0) {
    cursor_.Previous();
  } else if (--left_ == 0) {
    cursor_.SeekBefore(copies_.key(0));
  }
  if (Valid()) CountRow();
}

void BackwardCursor::CountRow() {
  if (rows_ == 0) return;
  bytes_seen_ += key().size() + value().size();
  if (++rows_seen_ != rows_ || bytes_seen_ > kCopiedBytesMax / 2) return;
  const bool known = left_ == 1;  // the page starts at the first copy, which is the remembered key
  if (!known) starts_.Remember(page_, key());
}

}  // namespace dolmen::engine
