// Atomic writes: PutItem, UpdateItem and DeleteItem, and the writes of several items. An atomic write locks
// the rows, reads the old items, decides, and commits one batch.

#pragma once

#include <array>
#include <boost/container/small_vector.hpp>
#include <cstddef>
#include <cstdint>
#include <forward_list>
#include <optional>
#include <span>
#include <vector>

#include "dolmen/clock.h"
#include "dolmen/consumed_capacity.h"
#include "dolmen/item_view.h"
#include "dolmen/open_options.h"
#include "dolmen/operations.h"
#include "dolmen/result.h"
#include "engine/schema/live_table.h"
#include "engine/storage/store.h"
#include "engine/stream/change_log.h"
#include "engine/write/index_upkeep.h"
#include "engine/write/lock_table.h"
#include "engine/write/prepare.h"
#include "engine/write/token_log.h"

namespace dolmen::engine {

// The parts of an engine that a write uses. Borrowed from the engine, which outlives every write.
struct WriteContext {
  Store& store;
  LockTable& locks;
  TokenLog& tokens;
  ChangeLog& changes;
  Clock& clock;
  OnConflict on_conflict = OnConflict::kWait;
};

// The number of actions for which a write allocates no memory. Most writes have one action, and a
// few have two or three.
inline constexpr std::size_t kUsualActions = 3;

// The outcome of one action.
struct ActionOutcome {
  // ok, or the error of the action, which makes the whole write fail:
  // - kConditionalCheckFailed: the action's condition is false.
  // - kValidation: the action cannot be applied to the old item.
  // - kTransactionConflict: a transaction holds the action's row.
  Status status = {};
  std::optional<StoredItem> attributes = {};  // selected by ReturnValues

  // The size of the item in bytes before and after the write, from which the capacity is computed;
  // 0 if no item exists.
  std::uint32_t size_before = 0;
  std::uint32_t size_after = 0;
  IndexChanges index_changes = {};
};

// The options of an atomic write.
struct WriteOptions {
  LockTable::Holder holder = LockTable::Holder::kSingleWrite;
  WriteDurability durability = WriteDurability::kAsOpened;
  // The time of the write, at which it judges whether items have expired. Nothing: the write asks the
  // clock, at most once and while it holds the row locks.
  std::optional<Timestamp> now = {};
};

// The result of an atomic write that returns no error.
enum class WriteVerdict : std::uint8_t {
  kCommitted,      // all actions are applied
  kRefused,        // nothing is written; at least one outcome holds an error
  kSchemaChanged,  // nothing is written; prepare the actions again for the table's new schema
};

// Applies all actions and all changes in `batch` as one atomic write, or applies nothing. Each
// action sees the items as they were before the write. Holds the row locks until it returns.
//
// An action that hides expired items treats a hidden item as absent. If the action replaces a
// hidden item, the stream gets two records: the removal by expiry, then the insertion.
//
// Returns one of the following errors if the whole write fails, and then writes nothing. An error
// of a single action is not returned: the outcome of the action holds it.
// - kStorage, kCorruption: the store cannot be read or written.
// REQUIRES: the actions are on different rows. `outcomes` holds one default-constructed element for
// each action. The calling thread holds no row lock.
Result<WriteVerdict> WriteAtomically(const WriteContext& context,
                                     std::span<const WriteAction* const> actions,
                                     std::span<ActionOutcome> outcomes,
                                     const WriteOptions& options = {}, WriteBatch&& batch = {});

// Contracts: Table::PutItem, Table::UpdateItem and Table::DeleteItem. `Input` is the input
// structure of one of the three; atomic_write.cc instantiates the template for them.
template <typename Input>
Result<WriteItemOutput> WriteItem(const WriteContext& context, const LiveTable& table,
                                  const Input& input);

// The actions of one request, which become one atomic write. For one thread.
class PreparedWrites {
 public:
  enum class For : std::uint8_t { kBatch, kTransaction };

  // `hide_expired` is the setting of the whole request. It applies to the actions that have no
  // setting of their own.
  explicit PreparedWrites(std::optional<bool> hide_expired = {}, For purpose = For::kBatch)
      : hide_expired_(hide_expired), purpose_(purpose) {}

  // Prepares an action for `input` and the current schema of `table`, and appends it to actions().
  // - kResourceNotFound: the table is dropped. No action is appended.
  // - kValidation: Prepare rejects the request. The action is appended; it must not be committed.
  // REQUIRES: the table and the request outlive this object.
  template <typename Input>
  Status Add(const LiveTable& table, const Input& input) {
    const TableSchema* const schema = table.schema();
    if (schema == nullptr) return NoSuchTable();
    const std::size_t position = pointers_.size();
    WriteAction& action = position < first_.size() ? first_[position] : others_.emplace_front();
    action.live = &table;
    action.in_transaction = purpose_ == For::kTransaction;
    Status prepared = Prepare(*schema, input, &action);
    if (!action.hide_expired) action.hide_expired = hide_expired_;
    pointers_.push_back(&action);
    return prepared;
  }

  // Returns true if two of the actions are on the same row. Ignores actions without a row.
  bool HasDuplicates() const;

  // Returns the actions in the order in which they were added.
  std::span<const WriteAction* const> actions() const DOLMEN_LIFETIME_BOUND {
    return {pointers_.data(), pointers_.size()};
  }

  // Applies the actions with WriteAtomically, and keeps their outcomes.
  Result<WriteVerdict> Commit(const WriteContext& context, const WriteOptions& options,
                              WriteBatch&& batch);

  // Returns the outcomes of the actions, in their order.
  // REQUIRES: Commit has returned kCommitted or kRefused.
  std::span<ActionOutcome> outcomes() DOLMEN_LIFETIME_BOUND {
    return {outcomes_.data(), outcomes_.size()};
  }
  // Returns the capacity that the actions have consumed, by table.
  // REQUIRES: Commit has returned kCommitted.
  std::vector<ConsumedCapacity> Capacity(ReturnConsumedCapacity which, bool of_transaction) const;

 private:
  std::optional<bool> hide_expired_;
  For purpose_;
  // Containers that never move their elements, because an action cannot be moved.
  std::array<WriteAction, kUsualActions> first_;
  std::forward_list<WriteAction> others_;
  boost::container::small_vector<const WriteAction*, kUsualActions> pointers_;
  boost::container::small_vector<ActionOutcome, kUsualActions> outcomes_;
};

}  // namespace dolmen::engine
