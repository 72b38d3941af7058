#include "engine/verify/salvaging_cursor.h"

#include <algorithm>
#include <optional>
#include <utility>

namespace dolmen::engine {

bool IsUnreadable(const Status& status) {
  return status.code() == StatusCode::kCorruption ||
         status.code() == StatusCode::kUnsupportedFormat || status.code() == StatusCode::kStorage;
}

SalvagingCursor::SalvagingCursor(const Store& store, const KeyRange& range,
                                 const Snapshot& snapshot, GapHandler on_gap, StepHandler on_step)
    : store_(store),
      rest_(range),
      on_gap_(std::move(on_gap)),
      on_step_(std::move(on_step)),
      cursor_(store, range, {.snapshot = &snapshot, .fills_cache = false}) {}

void SalvagingCursor::SeekToFirst() {
  cursor_.SeekToFirst();
  SkipGap();
}

void SalvagingCursor::Next() {
  last_key_ = cursor_.key();
  cursor_.Next();
  SkipGap();
}

// Skips from the start of one block to the start of the next block, until the cursor can read a
// row. The next block may be in another file. One skip may not be enough, because a block of one
// file may start within the keys of the unreadable block of another file.
void SalvagingCursor::SkipGap() {
  const auto in_gap = [&] { return !cursor_.Valid() && IsUnreadable(cursor_.status()); };
  if (!in_gap()) return;
  const Status error = cursor_.status();
  EncodedKey after_last = EncodedKey::FromBytes(last_key_);
  after_last.AdvancePast();
  rest_.lower = std::max(rest_.lower, after_last);
  while (in_gap() && !at_end_) {
    std::optional<EncodedKey> next = store_.StartOfNextBlock(rest_);
    at_end_ = !next || !on_step_(*next);
    if (at_end_) break;
    rest_.lower = *std::move(next);
    cursor_.Seek(rest_.lower);
  }
  on_gap_({last_key_, cursor_.Valid() ? cursor_.key() : std::string_view(), error});
}

}  // namespace dolmen::engine
