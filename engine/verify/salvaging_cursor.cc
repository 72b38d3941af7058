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
  PassGap();
}

void SalvagingCursor::Next() {
  last_ = cursor_.key();
  cursor_.Next();
  PassGap();
}

// Skips one block of any file at a time.  The start of a file's next block may still lie within the
// unreadable block of another file.
void SalvagingCursor::PassGap() {
  const auto in_gap = [&] { return !cursor_.Valid() && IsUnreadable(cursor_.status()); };
  if (!in_gap()) return;
  const Status why = cursor_.status();
  EncodedKey behind_last = EncodedKey::FromBytes(last_);
  behind_last.AdvancePast();
  rest_.lower = std::max(rest_.lower, behind_last);
  while (in_gap() && !at_end_) {
    std::optional<EncodedKey> next = store_.StartOfNextBlock(rest_);
    at_end_ = !next || !on_step_(*next);
    if (at_end_) break;
    rest_.lower = *std::move(next);
    cursor_.Seek(rest_.lower);
  }
  on_gap_({last_, cursor_.Valid() ? cursor_.key() : std::string_view(), why});
}

}  // namespace dolmen::engine
