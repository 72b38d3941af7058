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
#include "engine/write/prepare.h"
#include "engine/write/token_log.h"

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

enum class WriteVerdict : std::uint8_t {
  kCommitted,      // all actions are done
  kRefused,        // nothing is written; at least one outcome holds an error
  kSchemaChanged,  // nothing is written; prepare the actions again for the table's new schema
};

// Does all actions as one atomic write, together with what `batch` already holds, or does none.  Each
// action sees the items as they were before the write.
//
// An action that hides expired items treats a hidden item as absent.  If the action puts an item in
// its place, the stream gets two records: the removal by expiry, then the insertion.
//
// Errors that no single action causes; after them nothing is written:
// - kValidation: the items of a transaction are too large together.
// - kStorage, kCorruption: the store cannot be read or written.
// REQUIRES: the actions are on different rows; there is one default outcome for each action.
Result<WriteVerdict> WriteAtomically(const WriteContext& context,
                                     std::span<const WriteAction* const> actions,
                                     std::span<ActionOutcome> outcomes,
                                     const WriteOptions& options = {}, WriteBatch batch = {});

}  // namespace dolmen::engine
