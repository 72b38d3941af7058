#include "engine/write/atomic_write.h"

#include <algorithm>
#include <boost/container/small_vector.hpp>
#include <numeric>
#include <string_view>
#include <type_traits>
#include <utility>

#include "engine/base/status_macros.h"
#include "engine/read/capacity.h"
#include "engine/read/expiry_cutoff.h"
#include "engine/read/request_checks.h"
#include "engine/write/decide.h"
#include "engine/write/index_upkeep.h"
#include "engine/write/prepare.h"

// A write of one item passes these functions:
// - WriteItem: takes the table's schema, and begins again if the schema changes meanwhile.
// - Prepare (prepare.cc): checks the request and turns it into an action.
// - WriteAtomically: locks the row, reads the old item, decides, and commits. The lines in its body are
//   the steps of every write.
// - Decide (decide.cc): says what the action makes of the old item.
// - AppendIndexChanges (index_upkeep.cc): adds the changes of index entries to the batch.
// - ChangeLog::Append (stream/change_log.cc): adds the records of a stream to the batch.
// - Store::Write (storage/store.cc): commits the batch.

namespace dolmen::engine {
namespace {

// The state of one action during the write.
struct Step {
  PinnedValue old_bytes = {};
  std::optional<ItemView> old = {};      // a view of old_bytes; nothing if there is no item
  std::optional<ItemView> visible = {};  // `old`, or nothing if it is hidden from the action
  WriteEffect effect = {};

  bool old_is_hidden() const { return old && !visible; }
};

using Steps = boost::container::small_vector<Step, kUsualActions>;
using RowHashes = boost::container::small_vector<LockTable::RowHash, kUsualActions>;

// Returns true if the old item is hidden from the action. An action of the sweeper sees only
// expired items. If the table has no time to live any more, an action of the sweeper sees no item.
bool IsHidden(const WriteAction& action, const ItemView& old, OperationTime* time) {
  if (!action.table->expiry) return action.kind == WriteAction::Kind::kExpire;
  if (action.kind == WriteAction::Kind::kExpire) {
    return !ExpiryCutoff(*action.table->expiry, time->Now()).IsExpired(old);
  }
  const std::optional<ExpiryCutoff> hidden = HiddenItems(*action.table, action.hide_expired, time);
  return hidden && hidden->IsExpired(old);
}

Status ReadOld(Store& store, const WriteAction& action, OperationTime* time, Step* step) {
  DOLMEN_ASSIGN_OR_RETURN(const bool found, store.Get(action.row, &step->old_bytes));
  if (!found) return {};
  const Result<ItemView> item = ItemView::Parse({step->old_bytes.data(), step->old_bytes.size()});
  if (!item.ok()) return item.status();
  step->old = *item;
  if (!IsHidden(action, *item, time)) step->visible = *item;
  return {};
}

// Returns true if the error belongs to the outcome of one action, and not to the write as a whole.
bool BelongsToOutcome(const Status& status) {
  return status.code() == StatusCode::kConditionalCheckFailed ||
         status.code() == StatusCode::kValidation;
}

// Decides what the action does. Sets the effect in the step, and sets the status and the
// attributes in the outcome.
Status DecideStep(const WriteAction& action, Step* step, ActionOutcome* outcome) {
  if (Status decided = Decide(action, step->visible, &step->effect); !decided.ok()) {
    if (!BelongsToOutcome(decided)) return decided;
    outcome->status = std::move(decided);
    return {};
  }
  if (action.return_values == ReturnValues::kNone) return {};
  DOLMEN_ASSIGN_OR_RETURN(outcome->attributes,
                          ReturnedAttributes(action, step->visible, step->effect.item));
  return {};
}

// Returns the step's change of the row, or nothing if it does not change the row.
std::optional<Change> RowChange(const WriteAction& action, const Step& step) {
  if (step.effect.kind == WriteEffect::Kind::kNothing) return std::nullopt;
  return Change{step.old, step.effect.item, action.kind == WriteAction::Kind::kExpire};
}

// Adds the changes of the row and of its index entries to the batch, and sets the sizes in the
// outcome.
Status AppendStep(const WriteAction& action, const Step& step, WriteBatch* batch,
                  ActionOutcome* outcome) {
  const std::optional<ItemView>& after = step.effect.item;
  if (step.visible) outcome->size_before = step.visible->size_bytes();
  if (after) outcome->size_after = after->size_bytes();
  if (step.effect.kind == WriteEffect::Kind::kNothing) return {};
  after ? batch->Put(action.row, after->bytes()) : batch->Delete(action.row);
  std::optional<IndexedItem> indexed;
  if (after) indexed = IndexedItem{*after, step.effect.index_keys, step.effect.keeps_index_keys};
  return AppendIndexChanges(*action.table, action.row, step.old, indexed, batch,
                            &outcome->index_changes);
}

// Adds the changes of all steps to the batch. RocksDB looks for the place of a row from the place of
// the row before it in the batch. So the rows are added in the order of their keys.
Status AppendSteps(std::span<const WriteAction* const> actions, const Steps& steps,
                   WriteBatch* batch, std::span<ActionOutcome> outcomes) {
  boost::container::small_vector<std::size_t, kUsualActions> order(actions.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::sort(order.begin(), order.end(),
            [&](std::size_t a, std::size_t b) { return actions[a]->row < actions[b]->row; });
  for (const std::size_t i : order) {
    DOLMEN_RETURN_IF_ERROR(AppendStep(*actions[i], steps[i], batch, &outcomes[i]));
  }
  return {};
}

// A change record to write, with the table whose stream and recovery log get it.
struct RecordToAppend {
  const TableSchema* table;
  Change change;
};
using Records = boost::container::small_vector<RecordToAppend, kUsualActions>;

// Adds the change records of the step to `records`. Adds no record if the table records no changes
// or the item stays the same. Adds two records if the action replaces a hidden item.
void AddRecords(const WriteAction& action, const Step& step, Records* records) {
  if (!action.table->records_changes()) return;
  const std::optional<Change> change = RowChange(action, step);
  if (!change) return;
  if (step.old_is_hidden()) {
    records->push_back({action.table, {step.old, std::nullopt, true}});
    records->push_back({action.table, {std::nullopt, change->after}});
    return;
  }
  const bool same =
      change->before && change->after && change->before->bytes() == change->after->bytes();
  if (!same) records->push_back({action.table, *change});
}

// Commits the batch together with the change records. Then calls TrimSometimes for the logs. The
// records of a change in the stream and in the recovery log have the same number.
Status WriteWithRecords(const WriteContext& context, const Records& records, OperationTime* time,
                        WriteDurability durability, WriteBatch&& batch) {
  if (records.empty()) return context.store.Write(std::move(batch), durability);
  ChangeLog::ReservedNumbers numbers = context.changes.ReserveNumbers(records.size(), time->Now());
  for (const RecordToAppend& record : records) {
    const SequenceNumber number = numbers.Next();
    for (const StreamSchema* log : record.table->change_logs()) {
      if (log == nullptr) continue;
      DOLMEN_RETURN_IF_ERROR(ChangeLog::Append(*log, record.table->keys, record.change, number,
                                               numbers.time(), &batch));
    }
  }
  DOLMEN_RETURN_IF_ERROR(context.store.Write(std::move(batch), durability));
  const TableSchema* trimmed = nullptr;
  for (const RecordToAppend& record : records) {
    if (record.table == trimmed) continue;
    trimmed = record.table;
    for (const StreamSchema* log : trimmed->change_logs()) {
      if (log != nullptr) context.changes.TrimSometimes(*log, numbers);
    }
  }
  return {};
}

bool IsPreparedForCurrentSchema(const WriteAction* action) {
  return action->live == nullptr || action->live->schema() == action->table;
}

bool Failed(const ActionOutcome& outcome) { return !outcome.status.ok(); }

// Locks the rows of all actions and returns true. Under OnConflict::kFail, a row that a transaction
// holds is a conflict. In this case LockRows locks nothing, sets the outcome of each action on a
// row that a transaction holds to kTransactionConflict, and returns false.
bool LockRows(std::span<const WriteAction* const> actions, LockTable::Holder holder,
              OnConflict on_conflict, LockTable::Guard* guard, std::span<ActionOutcome> outcomes) {
  RowHashes rows;
  for (const WriteAction* action : actions) rows.push_back(LockTable::HashOf(action->row));
  const std::vector<bool> conflicts = guard->Lock({rows.data(), rows.size()}, holder, on_conflict);
  for (std::size_t i = 0; i < conflicts.size(); ++i) {
    if (conflicts[i]) outcomes[i].status = Status::TransactionConflict();
  }
  return conflicts.empty();
}

// Returns true if the write deletes an item and puts none.
bool OnlyDeletes(const Steps& steps) {
  const auto has_kind = [&](WriteEffect::Kind kind) {
    return std::any_of(steps.begin(), steps.end(),
                       [kind](const Step& step) { return step.effect.kind == kind; });
  };
  return has_kind(WriteEffect::Kind::kDelete) && !has_kind(WriteEffect::Kind::kPut);
}

WriteItemOutput ToOutput(const WriteAction& action, ReturnConsumedCapacity which,
                         ActionOutcome outcome) {
  WriteItemOutput output{.attributes = std::move(outcome.attributes)};
  if (which == ReturnConsumedCapacity::kNone) return output;
  CapacityMeter meter(which);
  meter.AddWrite(*action.table, outcome.size_before, outcome.size_after, outcome.index_changes);
  output.consumed_capacity = meter.TakeOne();
  return output;
}

}  // namespace

Result<WriteVerdict> WriteAtomically(const WriteContext& context,
                                     std::span<const WriteAction* const> actions,
                                     std::span<ActionOutcome> outcomes, const WriteOptions& options,
                                     WriteBatch&& batch) {
  DOLMEN_RETURN_IF_ERROR(context.store.CheckWritable());

  // Locks the rows until the function returns.
  LockTable::Guard guard(context.locks);
  if (!LockRows(actions, options.holder, context.on_conflict, &guard, outcomes)) {
    return WriteVerdict::kRefused;
  }

  // An action is valid only for the schema for which it was prepared.
  if (!std::all_of(actions.begin(), actions.end(), IsPreparedForCurrentSchema)) {
    return WriteVerdict::kSchemaChanged;
  }

  // Reads the old items and decides. Constructs the steps without first clearing their memory.
  OperationTime instant(context.clock, options.now);
  Steps steps(actions.size(), boost::container::default_init);
  for (std::size_t i = 0; i < actions.size(); ++i) {
    DOLMEN_RETURN_IF_ERROR(ReadOld(context.store, *actions[i], &instant, &steps[i]));
    DOLMEN_RETURN_IF_ERROR(DecideStep(*actions[i], &steps[i], &outcomes[i]));
  }
  if (std::any_of(outcomes.begin(), outcomes.end(), Failed)) return WriteVerdict::kRefused;

  // Collects the changes of rows, index entries and streams.
  if (OnlyDeletes(steps)) batch.OnlyDeletes();
  DOLMEN_RETURN_IF_ERROR(AppendSteps(actions, steps, &batch, outcomes));
  Records records;
  for (std::size_t i = 0; i < actions.size(); ++i) AddRecords(*actions[i], steps[i], &records);

  // Commits them together.
  DOLMEN_RETURN_IF_ERROR(
      WriteWithRecords(context, records, &instant, options.durability, std::move(batch)));
  return WriteVerdict::kCommitted;
}

// Applies the request as an atomic write of one action. Repeats the write if the schema changes
// before the row is locked.
template <typename Input>
Result<WriteItemOutput> WriteItem(const WriteContext& context, const LiveTable& table,
                                  const Input& input) {
  for (;;) {
    const TableSchema* const schema = table.schema();
    if (schema == nullptr) return NoSuchTable();
    WriteAction action;
    action.live = &table;
    DOLMEN_RETURN_IF_ERROR(Prepare(*schema, input, &action));
    if constexpr (std::is_same_v<Input, UpdateItemInput>) LimitCharge(input, &action);
    const WriteAction* const actions[] = {&action};
    ActionOutcome outcome;
    const Result<WriteVerdict> verdict = WriteAtomically(context, actions, {&outcome, 1});
    if (!verdict.ok()) return verdict.status();
    if (*verdict == WriteVerdict::kSchemaChanged) continue;
    if (!outcome.status.ok()) return outcome.status;
    return ToOutput(action, input.options.return_consumed_capacity, std::move(outcome));
  }
}

template Result<WriteItemOutput> WriteItem(const WriteContext&, const LiveTable&,
                                           const PutItemInput&);
template Result<WriteItemOutput> WriteItem(const WriteContext&, const LiveTable&,
                                           const UpdateItemInput&);
template Result<WriteItemOutput> WriteItem(const WriteContext&, const LiveTable&,
                                           const DeleteItemInput&);

bool PreparedWrites::HasDuplicates() const {
  boost::container::small_vector<std::string_view, kUsualActions> rows;
  for (const WriteAction* action : pointers_) {
    if (!action->row.bytes().empty()) rows.push_back(action->row.bytes());
  }
  return engine::HasDuplicates({rows.data(), rows.size()});
}

Result<WriteVerdict> PreparedWrites::Commit(const WriteContext& context,
                                            const WriteOptions& options, WriteBatch&& batch) {
  outcomes_.clear();
  outcomes_.resize(pointers_.size());
  return WriteAtomically(context, actions(), outcomes(), options, std::move(batch));
}

std::vector<ConsumedCapacity> PreparedWrites::Capacity(ReturnConsumedCapacity which,
                                                       bool of_transaction) const {
  if (which == ReturnConsumedCapacity::kNone) return {};
  CapacityMeter meter(which, of_transaction);
  for (std::size_t i = 0; i < pointers_.size(); ++i) {
    const ActionOutcome& outcome = outcomes_[i];
    meter.AddWrite(*pointers_[i]->table, outcome.size_before, outcome.size_after,
                   outcome.index_changes);
  }
  return meter.Take();
}

}  // namespace dolmen::engine
