#include "engine/storage/backward_cursor.h"

#include <string>

namespace dolmen::engine {
namespace {

// The minimum number of expected rows at which the start of a page is remembered. If a page has
// fewer rows, RocksDB reads it backward as fast as forward.
constexpr std::size_t kRowsMin = 8;
// The maximum total size of the copies in bytes. All copies must fit into the processor's cache.
constexpr std::size_t kCopiedBytesMax = std::size_t{128} << 10;

}  // namespace

BackwardCursor::BackwardCursor(const Store& store, const KeyRange& range,
                               std::optional<std::size_t> rows, const Snapshot* snapshot)
    : cursor_(store, range, snapshot),
      copies_(cursor_.copies()),
      page_starts_(store.page_starts()),
      rows_expected_(rows && *rows >= kRowsMin ? *rows : 0) {
  if (rows_expected_ > 0) page_ = PageStarts::MakePageId(range, rows_expected_);
}

void BackwardCursor::SeekToLast() {
  copies_left_ = 0;
  rows_seen_ = 0;
  bytes_seen_ = 0;
  const std::optional<EncodedKey> start =
      rows_expected_ > 0 ? page_starts_.Find(page_) : std::optional<EncodedKey>();
  if (start && CopyFrom(*start)) {
    copies_left_ = copies_.size();
  } else {
    if (start) page_starts_.Forget(page_);
    cursor_.SeekToLast();
  }
  if (Valid()) CountRow();
}

bool BackwardCursor::CopyFrom(const EncodedKey& start) {
  copies_.Clear();
  for (cursor_.Seek(start); cursor_.Valid(); cursor_.Next()) {
    copies_.Append(cursor_.key(), cursor_.value());
    if (copies_.size() > 2 * rows_expected_ || copies_.bytes() > kCopiedBytesMax) return false;
  }
  return copies_.size() > 0 && cursor_.status().ok();
}

void BackwardCursor::Previous() {
  if (copies_left_ == 0) {
    cursor_.Previous();
  } else if (--copies_left_ == 0) {
    cursor_.SeekBefore(copies_.key(0));
  }
  if (Valid()) CountRow();
}

void BackwardCursor::CountRow() {
  if (rows_expected_ == 0) return;
  bytes_seen_ += key().size() + value().size();
  if (++rows_seen_ != rows_expected_ || bytes_seen_ > kCopiedBytesMax / 2) return;
  // Does not remember the first copy again: the copies begin at the key that page_starts_ has for
  // this page.
  const bool is_remembered = copies_left_ == 1;
  if (!is_remembered) page_starts_.Remember(page_, key());
}

}  // namespace dolmen::engine
