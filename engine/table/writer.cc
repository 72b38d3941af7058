#include "engine/table/writer.h"

#include <algorithm>
#include <boost/container/small_vector.hpp>
#include <utility>

#include "engine/table/decide.h"
#include "engine/table/index_upkeep.h"
#include "engine/table/transaction_size.h"

namespace dolmen::engine {
namespace {

// An action on its way through the write.
struct Step {
  PinnedValue old_bytes = {};
  std::optional<ItemView> old = {};
  WriteEffect effect = {};
};

// Most writes are of one item, a few of two or three.
constexpr std::size_t kUsualActions = 3;
using Steps = boost::container::small_vector<Step, kUsualActions>;
using Rows = boost::container::small_vector<LockTable::RowHash, kUsualActions>;

Status ReadOld(const Store& store, const WriteAction& action, Step* step) {
  const Result<bool> found = store.Get(action.row, &step->old_bytes);
  if (!found.ok()) return found.status();
  if (!*found) return {};
  const Result<ItemView> item = ItemView::Parse({step->old_bytes.data(), step->old_bytes.size()});
  if (!item.ok()) return item.status();
  step->old = *item;
  return {};
}

bool IsAboutTheAction(const Status& status) {
  return status.code() == StatusCode::kConditionalCheckFailed ||
         status.code() == StatusCode::kValidation;
}

// Sets the step's effect and the outcome.
Status DecideStep(const WriteAction& action, Step* step, ActionOutcome* outcome) {
  Result<WriteEffect> effect = Decide(action, step->old);
  if (!effect.ok()) {
    if (!IsAboutTheAction(effect.status())) return effect.status();
    outcome->status = effect.status();
    return {};
  }
  step->effect = *std::move(effect);
  Result<std::optional<StoredItem>> returned =
      ReturnedAttributes(action, step->old, NewItem(action, step->old, step->effect));
  if (!returned.ok()) return returned.status();
  outcome->attributes = *std::move(returned);
  return {};
}

Status AppendStep(const WriteAction& action, const Step& step, WriteBatch* batch,
                  ActionOutcome* outcome) {
  const std::optional<ItemView> after = NewItem(action, step.old, step.effect);
  if (step.old) outcome->size_before = step.old->size_bytes();
  if (after) outcome->size_after = after->size_bytes();
  if (step.effect.kind == WriteEffect::Kind::kNothing) return {};
  after ? batch->Put(action.row, after->bytes()) : batch->Delete(action.row);
  return AppendIndexChanges(*action.table, step.old, after, batch, &outcome->index_changes);
}

bool IsPreparedForCurrentSchema(const WriteAction* action) {
  return action->live == nullptr || action->live->schema() == action->table;
}

bool Failed(const ActionOutcome& outcome) { return !outcome.status.ok(); }

// False: the actions' outcomes say which of them meet a transaction.
bool LockRows(std::span<const WriteAction* const> actions, const WriteOptions& options,
              LockTable::Guard* guard, std::span<ActionOutcome> outcomes) {
  Rows rows;
  for (const WriteAction* action : actions) rows.push_back(LockTable::HashOf(action->row));
  const std::vector<bool> conflicts =
      guard->Lock({rows.data(), rows.size()}, options.holder, options.on_conflict);
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

Result<bool> WriteAtomically(Store& store, LockTable& locks,
                             std::span<const WriteAction* const> actions,
                             std::span<ActionOutcome> outcomes, const WriteOptions& options,
                             WriteBatch batch) {
  LockTable::Guard guard(locks);
  if (!LockRows(actions, options, &guard, outcomes)) return true;
  if (!std::all_of(actions.begin(), actions.end(), IsPreparedForCurrentSchema)) return false;

  Steps steps(actions.size());
  for (std::size_t i = 0; i < actions.size(); ++i) {
    if (Status read = ReadOld(store, *actions[i], &steps[i]); !read.ok()) return read;
    Status decided = DecideStep(*actions[i], &steps[i], &outcomes[i]);
    if (!decided.ok()) return decided;
  }
  if (std::any_of(outcomes.begin(), outcomes.end(), Failed)) return true;

  for (std::size_t i = 0; i < actions.size(); ++i) {
    Status appended = AppendStep(*actions[i], steps[i], &batch, &outcomes[i]);
    if (!appended.ok()) return appended;
  }
  if (options.holder == LockTable::Holder::kTransaction) {
    if (Status size = CheckSize(steps, outcomes); !size.ok()) return size;
  }
  if (!batch.empty()) {
    if (Status written = store.Write(std::move(batch)); !written.ok()) return written;
  }
  return true;
}

}  // namespace dolmen::engine
