// Walking the keys of a range past damage.

#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "dolmen/status.h"
#include "engine/key/encoded_key.h"
#include "engine/storage/cursor.h"
#include "engine/storage/store.h"

namespace dolmen::engine {

// Whether it says that something stored is not as it should be, or that the system can't read it.
bool IsUnreadable(const Status& status);

// A Cursor that goes on behind a block that can't be read, and leaves the cache alone.  For one
// thread; must not outlive its Store and its snapshot.
class SalvagingCursor {
 public:
  // What can't be read lies between two keys; empty: from the range's start, or to its end or to
  // where the walk was ended.
  struct Gap {
    std::string_view before;
    std::string_view behind;
    Status why;
  };
  using GapHandler = std::function<void(const Gap&)>;
  // Whether to go on with that key.
  using StepHandler = std::function<bool(const EncodedKey& next)>;

  // `on_gap` is called once for each run of blocks that can't be read, `on_step` for each of these
  // blocks, as there may be very many; false from it ends the walk.
  SalvagingCursor(const Store& store, const KeyRange& range, const Snapshot& snapshot,
                  GapHandler on_gap, StepHandler on_step);

  void SeekToFirst();

  // As Cursor's; but what can't be read is no error.
  bool Valid() const { return cursor_.Valid(); }
  Status status() const { return at_end_ ? Status() : cursor_.status(); }
  void Next();
  std::string_view key() const { return cursor_.key(); }
  std::string_view value() const { return cursor_.value(); }

 private:
  void PassGap();

  const Store& store_;
  KeyRange rest_;  // what is left once a gap is passed
  const GapHandler on_gap_;
  const StepHandler on_step_;
  Cursor cursor_;
  std::string last_;     // the key before the cursor's: where a gap begins is known by it alone
  bool at_end_ = false;  // within a gap
};

}  // namespace dolmen::engine
