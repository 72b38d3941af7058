#include "engine/table/writer.h"

#include <algorithm>
#include <boost/container/small_vector.hpp>
#include <utility>

#include "engine/table/decide.h"
#include "engine/table/index_upkeep.h"

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
using Stripes = boost::container::small_vector<LockTable::Stripe, kUsualActions>;

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

void AppendStep(const WriteAction& action, const Step& step, WriteBatch* batch) {
  if (step.effect.kind == WriteEffect::Kind::kNothing) return;
  const std::optional<ItemView> after = NewItem(action, step.old, step.effect);
  after ? batch->Put(action.row, after->bytes()) : batch->Delete(action.row);
  AppendIndexChanges(*action.table, step.old, after, batch);
}

}  // namespace

Status WriteAtomically(Store& store, LockTable& locks, std::span<const WriteAction* const> actions,
                       std::span<ActionOutcome> outcomes) {
  Stripes stripes;
  for (const WriteAction* action : actions) stripes.push_back(LockTable::StripeOf(action->row));
  const LockTable::Guard guard(locks, {stripes.data(), stripes.size()});

  Steps steps(actions.size());
  for (std::size_t i = 0; i < actions.size(); ++i) {
    if (Status read = ReadOld(store, *actions[i], &steps[i]); !read.ok()) return read;
    Status decided = DecideStep(*actions[i], &steps[i], &outcomes[i]);
    if (!decided.ok()) return decided;
  }
  const auto failed = [](const ActionOutcome& outcome) { return !outcome.status.ok(); };
  if (std::any_of(outcomes.begin(), outcomes.end(), failed)) return {};

  WriteBatch batch;
  for (std::size_t i = 0; i < actions.size(); ++i) AppendStep(*actions[i], steps[i], &batch);
  return batch.empty() ? Status() : store.Write(std::move(batch));
}

}  // namespace dolmen::engine
