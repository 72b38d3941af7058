#include "remote/transact_write.h"

#include <optional>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include "dolmen/clock.h"
#include "dolmen/internal/item_rewriter.h"
#include "dolmen/internal/status_macros.h"
#include "dolmen/internal/validate.h"
#include "remote/action_request.h"
#include "remote/remote_table.h"
#include "remote/request_body.h"
#include "remote/write_item.h"

namespace dolmen::remote {
namespace {

using ActionInput = decltype(TransactWriteItem::action);

// One action, and what the last attempt has found out about it.
struct PlannedAction {
  const TransactWriteItem* source = nullptr;
  ActionInput input;  // with the transaction's hide_expired
  std::shared_ptr<const TableDefinition> definition;
  std::optional<internal::HiddenItems> hidden;
  // True: the item is read and the write is decided here.
  bool is_decided = false;
  Status refusal =
      {};  // the error of the decision; then the service gets a condition that is false
  std::optional<ConsumedCapacity> read_capacity = {};
};

template <typename Input>
Status CheckReturnsNothing(const Input& input) {
  if constexpr (!std::is_same_v<Input, ConditionCheckInput>) {
    if (input.return_values != ReturnValues::kNone) {
      return Status::Validation("An action of a transaction cannot have ReturnValues");
    }
  }
  return {};
}

template <typename Input>
Status CheckUpdates(const Input& input) {
  if constexpr (std::is_same_v<Input, UpdateItemInput>) {
    if (!input.update.given() && input.rewriter == nullptr) {
      return Status::Validation("Invalid UpdateExpression: The expression can not be empty;");
    }
  }
  return {};
}

Status Plan(const Service& service, const TransactWriteItem& source, const RequestOptions& options,
            PlannedAction* action) {
  action->source = &source;
  action->input = source.action;
  action->definition = TableOf(source.table).definition();
  return std::visit(
      [&](auto& input) -> Status {
        DOLMEN_RETURN_IF_ERROR(Validate(input));
        DOLMEN_RETURN_IF_ERROR(CheckReturnsNothing(input));
        DOLMEN_RETURN_IF_ERROR(CheckUpdates(input));
        if (!input.options.hide_expired) input.options.hide_expired = options.hide_expired;
        action->hidden =
            action->definition->rules->HiddenFrom(input.options.hide_expired, service.Now());
        if constexpr (std::is_same_v<std::remove_cvref_t<decltype(input)>, UpdateItemInput>) {
          action->is_decided = input.rewriter != nullptr;
        }
        return {};
      },
      action->input);
}

template <typename One>
Result<ActionRequest> Decide(const One& input, const std::optional<StoredItem>& old,
                             PlannedAction* action) {
  const std::vector<std::string> keys = action->definition->TableKeys();
  const bool is_hidden = old && action->hidden && action->hidden->Hides(old->view());
  std::optional<ItemView> seen;
  if (old && !is_hidden) seen = old->view();
  const auto decision = internal::DecideWrite(*action->definition->rules, input, seen);
  if (decision.ok()) return GuardedAction(KeyOf(input, keys), keys, old, is_hidden, *decision);
  action->refusal = decision.status();
  return FailingAction(KeyOf(input, keys), keys[0]);
}

Result<ActionRequest> Build(const Service& service, ReturnConsumedCapacity wanted,
                            PlannedAction* action) {
  action->refusal = {};
  return std::visit(
      [&](const auto& input) -> Result<ActionRequest> {
        if (!action->is_decided) return PlainAction(input, action->hidden);
        const std::vector<std::string> keys = action->definition->TableKeys();
        DOLMEN_ASSIGN_OR_RETURN(const std::optional<StoredItem> old,
                                ReadLatest(service, action->source->table.name(),
                                           KeyOf(input, keys), wanted, &action->read_capacity));
        return Decide(input, old, action);
      },
      action->input);
}

Result<std::string> WriteBody(const Service& service, const TransactWriteItemsInput& input,
                              const std::string& token, std::vector<PlannedAction>* actions) {
  const ReturnConsumedCapacity wanted = input.options.return_consumed_capacity;
  std::vector<std::optional<Result<ActionRequest>>> requests(actions->size());
  InParallel(actions->size(),
             [&](std::size_t i) { requests[i].emplace(Build(service, wanted, &(*actions)[i])); });
  RequestBody body;
  wire::JsonWriter& json = body.json();
  json.Key("TransactItems");
  json.BeginArray();
  for (std::size_t i = 0; i < actions->size(); ++i) {
    if (!requests[i]->ok()) return requests[i]->status();
    const ActionRequest& request = **requests[i];
    json.BeginObject();
    json.Key(ActionName(request.kind));
    json.BeginObject();
    WriteAction((*actions)[i].source->table.name(), request, &json);
    json.EndObject();
    json.EndObject();
  }
  json.EndArray();
  json.StringField("ClientRequestToken", token);
  WriteReturnConsumedCapacity(wanted, &json);
  return body.Finish();
}

// Returns true if the action must be built again because of the reason that the service gives: its item
// has changed since it was read, or turned out to be hidden. Then the action is decided here.
bool MustRepeat(const Status& reason, PlannedAction* action) {
  if (reason.code() != StatusCode::kConditionalCheckFailed) return false;
  if (action->is_decided) return action->refusal.ok();
  const bool is_hidden =
      reason.item() != nullptr && action->hidden && action->hidden->Hides(reason.item()->view());
  if (is_hidden) action->is_decided = true;
  return is_hidden;
}

bool MustRepeat(const std::vector<Status>& reasons, std::vector<PlannedAction>* actions) {
  bool must_repeat = false;
  for (std::size_t i = 0; i < reasons.size() && i < actions->size(); ++i) {
    if (MustRepeat(reasons[i], &(*actions)[i])) must_repeat = true;
  }
  return must_repeat;
}

// Replaces the reasons of the decided actions by the errors of their decisions.
Status WithRefusals(const Status& canceled, const std::vector<PlannedAction>& actions) {
  std::vector<Status> reasons = canceled.reasons();
  for (std::size_t i = 0; i < reasons.size() && i < actions.size(); ++i) {
    if (!actions[i].refusal.ok()) {
      reasons[i] = actions[i].refusal;
      continue;
    }
    reasons[i] = std::visit(
        [&](const auto& input) { return WithoutUnaskedItem(input, reasons[i]); }, actions[i].input);
  }
  return Status::TransactionCanceled(std::move(reasons));
}

bool AnyDecided(const std::vector<PlannedAction>& actions) {
  for (const PlannedAction& action : actions) {
    if (action.is_decided) return true;
  }
  return false;
}

Status UsedToken() {
  return Status::IdempotentParameterMismatch().WithMessage(
      "The token was used before, with other actions. The update of an entity can have other "
      "actions "
      "when it is repeated, so this transaction may have been executed. Read its items.");
}

std::vector<ConsumedCapacity> CapacitiesOf(const wire::JsonObject& response,
                                           const std::vector<PlannedAction>& actions) {
  std::vector<ConsumedCapacity> sum = ReadCapacities(response, Units::kWrite);
  for (const PlannedAction& action : actions) {
    if (action.read_capacity) AddCapacities({*action.read_capacity}, &sum);
  }
  return sum;
}

}  // namespace

Result<TransactWriteItemsOutput> TransactWrite(const Service& service,
                                               const TransactWriteItemsInput& input) {
  std::vector<PlannedAction> actions(input.actions.size());
  for (std::size_t i = 0; i < actions.size(); ++i) {
    DOLMEN_RETURN_IF_ERROR(Plan(service, input.actions[i], input.options, &actions[i]));
  }
  for (int attempt = 0; attempt < kDecisionsMax; ++attempt) {
    if (attempt > 0) service.PauseBefore(attempt);
    const std::string& given = input.client_request_token;
    DOLMEN_ASSIGN_OR_RETURN(const std::string& body,
                            WriteBody(service, input, given.empty() ? NewUuid() : given, &actions));
    const auto sent = service.Send("TransactWriteItems", body, Repeat::kSafe);
    if (sent.ok()) return TransactWriteItemsOutput{CapacitiesOf(sent->object(), actions)};
    const StatusCode code = sent.status().code();
    const bool was_done = code == StatusCode::kIdempotentParameterMismatch && !given.empty();
    if (was_done && AnyDecided(actions)) {
      // This call has not sent the token before, so an earlier call has: its transaction is done.
      return attempt == 0 ? Result<TransactWriteItemsOutput>(TransactWriteItemsOutput())
                          : Status(UsedToken());
    }
    if (code != StatusCode::kTransactionCanceled) return sent.status();
    if (!MustRepeat(sent.status().reasons(), &actions)) return WithRefusals(sent.status(), actions);
  }
  return Status::TransactionConflict(
      "Other writers have changed an item each time between its read and the transaction. Retry "
      "later.");
}

}  // namespace dolmen::remote
