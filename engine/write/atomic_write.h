// Atomic writes: they lock the rows, read the old items, decide, and commit one batch.

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

// The parts of an engine that a write uses.  Borrowed from the engine, which outlives every write.
struct WriteContext {
  Store& store;
  LockTable& locks;
  TokenLog& tokens;
  ChangeLog& changes;
  Clock& clock;
  OnConflict on_conflict = OnConflict::kWait;
};

// The outcome of one action.
struct ActionOutcome {
  // ok, or the reason why the action refuses the whole write:
  // - kConditionalCheckFailed: its condition is false.
  // - kValidation: it cannot be applied to the old item.
  // - kTransactionConflict: a transaction holds its row.
  Status status = {};
  std::optional<StoredItem> attributes = {};  // the attributes that its ReturnValues asks for

  // The bytes of the item before and after the write, for the count of capacity; 0 without an item.
  std::uint32_t size_before = 0;
  std::uint32_t size_after = 0;
  IndexChanges index_changes = {};
};

// The options of an atomic write.
struct WriteOptions {
  LockTable::Holder holder = LockTable::Holder::kSingleWrite;
  WriteDurability durability = WriteDurability::kAsOpened;
};

// The result of an atomic write without an error of its own.
enum class WriteVerdict : std::uint8_t {
  kCommitted,      // all actions are applied
  kRefused,        // nothing is written; at least one outcome holds an error
  kSchemaChanged,  // nothing is written; prepare the actions again for the table's new schema
};

// Applies all actions, and the changes that `batch` already holds, as one atomic write, or none of
// them.  Each action sees the items as they were before the write.  Holds the row locks until it
// returns.
//
// An action that hides expired items treats a hidden item as absent.  If the action puts an item in
// its place, the stream gets two records: the removal by expiry, then the insertion.
//
// Returns the errors that no single action causes.  Nothing is written then.
// - kValidation: the items of a transaction are too large together.
// - kStorage, kCorruption: the store cannot be read or written.
// REQUIRES: the actions are on different rows.  There is one default outcome for each action.  The
// calling thread holds no row lock.
Result<WriteVerdict> WriteAtomically(const WriteContext& context,
                                     std::span<const WriteAction* const> actions,
                                     std::span<ActionOutcome> outcomes,
                                     const WriteOptions& options = {}, WriteBatch batch = {});

}  // namespace dolmen::engine
