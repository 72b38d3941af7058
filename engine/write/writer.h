// Doing writes: lock the rows, read the old items, decide, commit one batch.

#pragma once

#include <optional>
#include <span>

#include "dolmen/clock.h"
#include "dolmen/item_view.h"
#include "dolmen/open_options.h"
#include "dolmen/result.h"
#include "engine/storage/store.h"
#include "engine/stream/change_log.h"
#include "engine/write/index_upkeep.h"
#include "engine/write/lock_table.h"
#include "engine/write/token_log.h"
#include "engine/write/write_action.h"

namespace dolmen::engine {

// What writes work on.
struct WriteContext {
  Store& store;
  LockTable& locks;
  TokenLog& tokens;
  ChangeLog& changes;
  Clock& clock;
  OnConflict on_conflict = OnConflict::kWait;
};

// What became of one action.
struct ActionOutcome {
  // kConditionalCheckFailed, kValidation, kTransactionConflict
  Status status = {};
  std::optional<StoredItem> attributes = {};  // as its ReturnValues asks

  // For those who count capacity: sizes are 0 where there is no item.
  std::uint32_t size_before = 0;
  std::uint32_t size_after = 0;
  IndexChanges index_changes = {};
};

struct WriteOptions {
  LockTable::Holder holder = LockTable::Holder::kSingleWrite;
  WriteDurability durability = WriteDurability::kAsOpened;
};

// Does all of the actions, which are on different rows, as one atomic write, or none of them: that
// is, if one of the outcomes is not ok.  Each sees the items as they were before.  What `batch`
// holds already is written with them.
// False: nothing was done, as a table has another schema by now, for which the actions have to be
// prepared anew.
// A hidden item is as good as none for an action that hides it; if something is put in its place,
// it goes first, as if its time had come just before. Otherwise returns what failed outside the
// actions, and then nothing is written either: kStorage, kCorruption; kValidation if a
// transaction's items are too large in all. REQUIRES: as many outcomes as actions, all fresh
Result<bool> WriteAtomically(const WriteContext& context,
                             std::span<const WriteAction* const> actions,
                             std::span<ActionOutcome> outcomes, const WriteOptions& options = {},
                             WriteBatch batch = {});

}  // namespace dolmen::engine
