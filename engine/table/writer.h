// Doing writes: lock the rows, read the old items, decide, commit one batch.

#pragma once

#include <optional>
#include <span>

#include "dolmen/item_view.h"
#include "dolmen/status.h"
#include "engine/storage/store.h"
#include "engine/table/lock_table.h"
#include "engine/table/write_action.h"

namespace dolmen::engine {

// What became of one action.
struct ActionOutcome {
  Status status = {};                         // kConditionalCheckFailed, kValidation
  std::optional<StoredItem> attributes = {};  // as its ReturnValues asks
};

// Does all of the actions, which are on different rows, as one atomic write, or none of them: that
// is, if one of the outcomes is not ok.  Each sees the items as they were before. Returns what
// failed outside the actions: kStorage, kCorruption.  Then nothing is written either. REQUIRES: as
// many outcomes as actions
Status WriteAtomically(Store& store, LockTable& locks, std::span<const WriteAction* const> actions,
                       std::span<ActionOutcome> outcomes);

}  // namespace dolmen::engine
