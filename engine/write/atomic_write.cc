#include "engine/write/atomic_write.h"

#include <algorithm>
#include <boost/container/small_vector.hpp>
#include <utility>

#include "engine/read/expiry_cutoff.h"
#include "engine/read/request_checks.h"
#include "engine/write/decide.h"
#include "engine/write/index_upkeep.h"

namespace dolmen::engine {
namespace {

// An action on its way through the write.
struct Step {
  PinnedValue old_bytes = {};
  std::optional<ItemView> old = {};
  std::optional<ItemView> seen = {};  // `old`, unless the action does not see it
  WriteEffect effect = {};

  bool hides_old() const { return old && !seen; }
};

// Most writes are of one item, a few of two or three.
constexpr std::size_t kUsualActions = 3;
using Steps = boost::container::small_vector<Step, kUsualActions>;
using RowHashes = boost::container::small_vector<LockTable::RowHash, kUsualActions>;

// Whether the action does not see the old item.  The sweeper sees nothing but what has expired,
// which is nothing if time to live has been disabled since it looked.
bool Hides(const WriteAction& action, const ItemView& old, Clock& clock) {
  if (!action.table->expiry) return action.kind == WriteAction::Kind::kExpire;
  if (action.kind == WriteAction::Kind::kExpire) {
    return !ExpiryCutoff(*action.table->expiry, clock.Now()).Has(old);
  }
  const std::optional<ExpiryCutoff> hidden = HiddenItems(*action.table, action.hide_expired, clock);
  return hidden && hidden->Has(old);
}

Status ReadOld(const WriteContext& context, const WriteAction& action, Step* step) {
  const Result<bool> found = context.store.Get(action.row, &step->old_bytes);
  if (!found.ok()) return found.status();
  if (!*found) return {};
  const Result<ItemView> item = ItemView::Parse({step->old_bytes.data(), step->old_bytes.size()});
  if (!item.ok()) return item.status();
  step->old = *item;
  if (!Hides(action, *item, context.clock)) step->seen = *item;
  return {};
}

bool IsAboutTheAction(const Status& status) {
  return status.code() == StatusCode::kConditionalCheckFailed ||
         status.code() == StatusCode::kValidation;
}

// Sets the step's effect and the outcome.
Status DecideStep(const WriteAction& action, Step* step, ActionOutcome* outcome) {
  Result<WriteEffect> effect = Decide(action, step->seen);
  if (!effect.ok()) {
    if (!IsAboutTheAction(effect.status())) return effect.status();
    outcome->status = effect.status();
    return {};
  }
  step->effect = *std::move(effect);
  Result<std::optional<StoredItem>> returned =
      ReturnedAttributes(action, step->seen, NewItem(action, step->seen, step->effect));
  if (!returned.ok()) return returned.status();
  outcome->attributes = *std::move(returned);
  return {};
}

// What the step does to the row, if anything.
std::optional<Change> ChangeOf(const WriteAction& action, const Step& step) {
  if (step.effect.kind == WriteEffect::Kind::kNothing) return std::nullopt;
  return Change{step.old, NewItem(action, step.seen, step.effect),
                action.kind == WriteAction::Kind::kExpire};
}

Status AppendStep(const WriteAction& action, const Step& step, WriteBatch* batch,
                  ActionOutcome* outcome) {
  const std::optional<ItemView> after = NewItem(action, step.seen, step.effect);
  if (step.seen) outcome->size_before = step.seen->size_bytes();
  if (after) outcome->size_after = after->size_bytes();
  if (step.effect.kind == WriteEffect::Kind::kNothing) return {};
  after ? batch->Put(action.row, after->bytes()) : batch->Delete(action.row);
  return AppendIndexChanges(*action.table, step.old, after, batch, &outcome->index_changes);
}

// The records of what the steps do, each with the stream and the keys of its table.
struct RecordToAppend {
  const TableSchema* table;
  Change change;
};
using Records = boost::container::small_vector<RecordToAppend, kUsualActions>;

void AddRecords(const WriteAction& action, const Step& step, Records* records) {
  if (action.table->enabled_stream() == nullptr) return;
  const std::optional<Change> change = ChangeOf(action, step);
  if (!change) return;
  if (step.hides_old()) {
    records->push_back({action.table, {step.old, std::nullopt, true}});
    records->push_back({action.table, {std::nullopt, change->after}});
    return;
  }
  const bool same =
      change->before && change->after && change->before->bytes() == change->after->bytes();
  if (!same) records->push_back({action.table, *change});
}

Status WriteWithRecords(const WriteContext& context, const Records& records,
                        WriteDurability durability, WriteBatch batch) {
  if (records.empty()) {
    return batch.empty() ? Status() : context.store.Write(std::move(batch), durability);
  }
  ChangeLog::Numbers numbers = context.changes.Begin(records.size());
  for (const RecordToAppend& record : records) {
    Status appended = ChangeLog::Append(*record.table->enabled_stream(), record.table->keys,
                                        record.change, &numbers, &batch);
    if (!appended.ok()) return appended;
  }
  Status written = context.store.Write(std::move(batch), durability);
  if (!written.ok()) return written;
  const TableSchema* trimmed = nullptr;
  for (const RecordToAppend& record : records) {
    if (record.table == trimmed) continue;
    trimmed = record.table;
    context.changes.TrimSometimes(*trimmed->enabled_stream(), numbers);
  }
  return {};
}

bool IsPreparedForCurrentSchema(const WriteAction* action) {
  return action->live == nullptr || action->live->schema() == action->table;
}

bool Failed(const ActionOutcome& outcome) { return !outcome.status.ok(); }

// False: the actions' outcomes say which of them meet a transaction.
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

Status CheckSize(const Steps& steps, std::span<const ActionOutcome> outcomes) {
  std::uint64_t bytes = 0;
  for (std::size_t i = 0; i < steps.size(); ++i) {
    if (steps[i].effect.kind == WriteEffect::Kind::kPut) bytes += outcomes[i].size_after;
  }
  return CheckTransactionSize(bytes);
}

}  // namespace

Result<WriteVerdict> WriteAtomically(const WriteContext& context,
                                     std::span<const WriteAction* const> actions,
                                     std::span<ActionOutcome> outcomes, const WriteOptions& options,
                                     WriteBatch batch) {
  if (Status writable = context.store.CheckWritable(); !writable.ok()) return writable;
  LockTable::Guard guard(context.locks);
  if (!LockRows(actions, options.holder, context.on_conflict, &guard, outcomes)) {
    return WriteVerdict::kRefused;
  }
  if (!std::all_of(actions.begin(), actions.end(), IsPreparedForCurrentSchema)) {
    return WriteVerdict::kSchemaChanged;
  }

  Steps steps(actions.size());
  for (std::size_t i = 0; i < actions.size(); ++i) {
    if (Status read = ReadOld(context, *actions[i], &steps[i]); !read.ok()) return read;
    Status decided = DecideStep(*actions[i], &steps[i], &outcomes[i]);
    if (!decided.ok()) return decided;
  }
  if (std::any_of(outcomes.begin(), outcomes.end(), Failed)) return WriteVerdict::kRefused;

  Records records;
  for (std::size_t i = 0; i < actions.size(); ++i) {
    Status appended = AppendStep(*actions[i], steps[i], &batch, &outcomes[i]);
    if (!appended.ok()) return appended;
    AddRecords(*actions[i], steps[i], &records);
  }
  if (options.holder == LockTable::Holder::kTransaction) {
    if (Status size = CheckSize(steps, outcomes); !size.ok()) return size;
  }
  Status written = WriteWithRecords(context, records, options.durability, std::move(batch));
  if (!written.ok()) return written;
  return WriteVerdict::kCommitted;
}

}  // namespace dolmen::engine
