#include "remote/transact_write.h"

#include <algorithm>
#include <optional>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include "database/validate.h"
#include "dolmen/internal/item_rewriter.h"
#include "dolmen/uuid.h"
#include "engine/base/status_macros.h"
#include "http/sha256.h"
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
  std::optional<ActionRequest> plain = {};  // the plain form of an update with a rewriter
  // True: the write is decided here, for its item.
  bool is_decided = false;
  std::optional<StoredItem> seen = {};  // the item of the last response; otherwise it is read
  // The error of the decision, or OK. After an error the transaction has an action that always fails.
  Status refusal = {};
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
          if (input.rewriter == nullptr) return {};
          std::optional<PlainUpdateAction> plain = PlainForm(input, action->hidden);
          // A transaction returns no items.
          action->is_decided = !plain || plain->return_values != ReturnValues::kNone;
          if (!action->is_decided) action->plain = std::move(plain->action);
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
        if (!action->is_decided) {
          return action->plain ? *action->plain : PlainAction(input, action->hidden);
        }
        std::optional<StoredItem> old = std::exchange(action->seen, std::nullopt);
        if (!old) {
          const std::vector<std::string> keys = action->definition->TableKeys();
          DOLMEN_ASSIGN_OR_RETURN(
              old, ReadLatest(service, action->source->table.name(), KeyOf(input, keys), wanted,
                              &action->read_capacity));
        }
        return Decide(input, old, action);
      },
      action->input);
}

// Returns the requests of the actions. Decides those that must be decided.
Result<std::vector<ActionRequest>> BuildAll(const Service& service, ReturnConsumedCapacity wanted,
                                            std::vector<PlannedAction>* actions) {
  std::vector<std::optional<Result<ActionRequest>>> built(actions->size());
  InParallel(actions->size(),
             [&](std::size_t i) { built[i].emplace(Build(service, wanted, &(*actions)[i])); });
  std::vector<ActionRequest> requests;
  for (std::optional<Result<ActionRequest>>& request : built) {
    if (!request->ok()) return request->status();
    requests.push_back(**std::move(request));
  }
  return requests;
}

void WriteActionOf(const TransactWriteItem& source, const ActionRequest& request,
                   wire::JsonWriter* json) {
  json->BeginObject();
  json->Key(ActionName(request.kind));
  json->BeginObject();
  WriteAction(source.table.name(), request, json);
  json->EndObject();
  json->EndObject();
}

std::string WriteBody(const TransactWriteItemsInput& input, const std::string& token,
                      const std::vector<ActionRequest>& requests) {
  RequestBody body;
  wire::JsonWriter& json = body.json();
  json.Key("TransactItems");
  json.BeginArray();
  for (std::size_t i = 0; i < requests.size(); ++i) {
    WriteActionOf(input.actions[i], requests[i], &json);
  }
  json.EndArray();
  json.StringField("ClientRequestToken", token);
  WriteReturnConsumedCapacity(input.options.return_consumed_capacity, &json);
  return body.Finish();
}

// Returns true if the action must be built again because of the reason that the service gives: its plain
// form does not fit its item, its item has changed since it was read, or its item turned out to be hidden.
// Then the action is decided here.
bool MustRepeat(const Status& reason, PlannedAction* action) {
  const bool is_invalid = reason.code() == StatusCode::kValidation;
  if (reason.code() != StatusCode::kConditionalCheckFailed && !is_invalid) return false;
  const std::optional<StoredItem> item =
      reason.item() == nullptr ? std::nullopt : std::optional(*reason.item());
  if (action->is_decided) {
    if (is_invalid || !action->refusal.ok()) return false;
  } else if (!action->plain) {
    const bool is_hidden = item && action->hidden && action->hidden->Hides(item->view());
    if (!is_hidden) return false;
  }
  action->is_decided = true;
  action->seen = item;
  return true;
}

// Returns true if an action must be built again. Clears the reasons of these actions.
bool MustRepeat(std::vector<Status>* reasons, std::vector<PlannedAction>* actions) {
  bool must_repeat = false;
  for (std::size_t i = 0; i < reasons->size() && i < actions->size(); ++i) {
    if (!MustRepeat((*reasons)[i], &(*actions)[i])) continue;
    (*reasons)[i] = {};
    must_repeat = true;
  }
  return must_repeat;
}

bool HasPlainForm(const PlannedAction& action) { return action.plain && !action.is_decided; }

bool AnyPlain(const std::vector<PlannedAction>& actions) {
  return std::ranges::any_of(actions, HasPlainForm);
}

// Makes the plain forms decided. Returns false if there are none.
bool GiveUpPlainForms(std::vector<PlannedAction>* actions) {
  const bool has_any = AnyPlain(*actions);
  for (PlannedAction& action : *actions) action.is_decided = action.is_decided || action.plain;
  return has_any;
}

bool AnyRefused(const std::vector<PlannedAction>& actions) {
  return std::ranges::any_of(actions,
                             [](const PlannedAction& action) { return !action.refusal.ok(); });
}

// Replaces the reasons of the decided actions by the errors of their decisions.
Status WithRefusals(std::vector<Status> reasons, const std::vector<PlannedAction>& actions) {
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

// Returns the hash of what the program has asked for. It is equal for a repetition, whatever the service
// gets for it.
Result<http::Digest> DigestOf(const std::vector<PlannedAction>& actions) {
  std::string asked;
  wire::JsonWriter json(&asked);
  json.BeginArray();
  for (const PlannedAction& action : actions) {
    const auto request = std::visit(
        [](const auto& input) { return PlainAction(input, std::nullopt); }, action.input);
    if (!request.ok()) return request.status();
    WriteActionOf(*action.source, *request, &json);
    const std::optional<bool> hide_expired =
        std::visit([](const auto& input) { return input.options.hide_expired; }, action.input);
    json.Integer(hide_expired ? 1 + *hide_expired : 0);
  }
  json.EndArray();
  return http::Sha256Of(asked);
}

// Remembers the token of a request with this result, if the request may have been executed.
void Remember(const Status& result, UsedTokens::Use* use) {
  if (result.ok()) use->Executed();
  const bool is_ambiguous = result.code() == StatusCode::kInternalServerError ||
                            result.code() == StatusCode::kServiceUnavailable;
  if (is_ambiguous) use->MayBeExecuted();
}

// Returns true if the transaction can have other actions when it is repeated: those of an update of an
// entity, or with `of_hidden` also the time at which items are hidden.
bool AnyVaries(const std::vector<PlannedAction>& actions, bool of_hidden) {
  return std::ranges::any_of(actions, [&](const PlannedAction& action) {
    return action.plain || action.is_decided || (of_hidden && action.hidden);
  });
}

// Returns the result of a transaction of which the service says that its token was used with other actions.
// `is_first` is true if this call has not sent the token before.
Result<TransactWriteItemsOutput> ResultOfUsedToken(const Status& mismatch, bool is_first,
                                                   const std::vector<PlannedAction>& actions,
                                                   UsedTokens::Use* use) {
  const UsedTokens::Owner owner = use->FindOwner();
  const bool is_same = owner == UsedTokens::Owner::kSame;
  if (owner == UsedTokens::Owner::kOther || !AnyVaries(actions, is_same)) return mismatch;
  if (!is_first) {
    return mismatch.WithMessage(
        "The token was used before, with other actions. The update of an entity can have other "
        "actions when it is repeated, so this transaction may have been executed. Read its items.");
  }
  use->Executed();
  return TransactWriteItemsOutput();
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
  const std::string& given = input.client_request_token;
  std::optional<UsedTokens::Use> use;
  if (!given.empty()) {
    DOLMEN_ASSIGN_OR_RETURN(const http::Digest& asked, DigestOf(actions));
    use.emplace(service.used_tokens(), given, asked);
  }
  std::vector<Status> reasons;  // of the last cancellation
  int decisions = 0;            // attempts without a plain form
  for (int attempt = 0; attempt < kDecisionsMax; ++attempt) {
    if (decisions > 0) service.PauseBefore(decisions);
    DOLMEN_ASSIGN_OR_RETURN(const std::vector<ActionRequest>& requests,
                            BuildAll(service, input.options.return_consumed_capacity, &actions));
    // The transaction was cancelled before, and the decisions have found out why.
    if (!reasons.empty() && AnyRefused(actions)) return WithRefusals(reasons, actions);
    if (!AnyPlain(actions)) ++decisions;  // then the next attempt follows a conflict
    const std::string body = WriteBody(input, given.empty() ? NewUuid() : given, requests);
    const auto sent = service.Send("TransactWriteItems", body, Repeat::kSafe);
    if (use) Remember(sent.status(), &*use);
    if (sent.ok()) return TransactWriteItemsOutput{CapacitiesOf(sent->object(), actions)};
    const StatusCode code = sent.status().code();
    if (code == StatusCode::kIdempotentParameterMismatch && use) {
      return ResultOfUsedToken(sent.status(), attempt == 0, actions, &*use);
    }
    if (code == StatusCode::kValidation && GiveUpPlainForms(&actions)) continue;
    if (code != StatusCode::kTransactionCanceled) return sent.status();
    reasons = sent.status().reasons();
    if (!MustRepeat(&reasons, &actions)) return WithRefusals(reasons, actions);
  }
  return Status::TransactionConflict(
      "Other writers have changed an item each time between its read and the transaction. Retry "
      "later.");
}

}  // namespace dolmen::remote
