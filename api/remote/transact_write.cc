#include "remote/transact_write.h"

#include <algorithm>
#include <cstddef>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "database/validate.h"
#include "dolmen/uuid.h"
#include "engine/base/status_macros.h"
#include "remote/remote_table.h"
#include "remote/request_body.h"
#include "remote/write_item.h"
#include "wire/item_requests.h"

namespace dolmen::remote {
namespace {

struct PlannedAction {
  wire::TransactAction request;
  std::optional<HiddenItems> hidden = {};
};

// `options` are those of the transaction, and `now` is the time at which items are hidden.
Result<PlannedAction> Plan(const TransactWriteItem& action, const RequestOptions& options,
                           Timestamp now) {
  DOLMEN_RETURN_IF_ERROR(ValidateAction(action.action));
  return std::visit(
      [&](const auto& input) -> Result<PlannedAction> {
        const std::optional<bool> asked =
            input.options.hide_expired ? input.options.hide_expired : options.hide_expired;
        PlannedAction planned;
        planned.hidden = TableOf(action.table).definition()->HiddenFrom(asked, now);
        DOLMEN_ASSIGN_OR_RETURN(planned.request, ToSend(input, planned.hidden));
        return planned;
      },
      action.action);
}

std::string WriteBody(const TransactWriteItemsInput& input, const std::string& token,
                      const std::vector<PlannedAction>& actions) {
  RequestBody body;
  wire::JsonWriter& json = body.json();
  json.Key("TransactItems");
  json.BeginArray();
  for (std::size_t i = 0; i < actions.size(); ++i) {
    wire::EncodeActionFor(input.actions[i].table.name(), actions[i].request, &json);
  }
  json.EndArray();
  json.StringField("ClientRequestToken", token);
  WriteReturnConsumedCapacity(input.options.return_consumed_capacity, &json);
  return body.Finish();
}

// Callers expect a reason for each action, and one that is an error.
Status CheckReasons(const std::vector<Status>& reasons, std::size_t actions) {
  if (reasons.size() == actions && !std::ranges::all_of(reasons, &Status::ok)) return {};
  return Status::InternalServerError().WithMessage(
      "The service cancelled a transaction of " + std::to_string(actions) +
      " actions, and did not say for which of them: its CancellationReasons are " +
      std::to_string(reasons.size()) + ". Nothing was written.");
}

// Deletes the hidden items for which the transaction was cancelled. Returns true if there are any.
Result<bool> DeleteHiddenItems(const Service& service, const TransactWriteItemsInput& input,
                               const std::vector<PlannedAction>& actions,
                               const std::vector<Status>& reasons,
                               std::vector<ConsumedCapacity>* capacity) {
  bool has_any = false;
  for (std::size_t i = 0; i < reasons.size() && i < actions.size(); ++i) {
    if (!IsRefusedByHidden(reasons[i], actions[i].hidden)) continue;
    const RemoteTable& table = TableOf(input.actions[i].table);
    const std::vector<std::string> keys = table.definition()->TableKeys();
    const Item key = std::visit([&](const auto& one) { return Item(KeyOf(one, keys)); },
                                input.actions[i].action);
    std::optional<ConsumedCapacity> consumed;
    DOLMEN_RETURN_IF_ERROR(DeleteHidden(service, table, key, *actions[i].hidden,
                                        input.options.return_consumed_capacity, &consumed));
    if (consumed) AddCapacities({*consumed}, capacity);
    has_any = true;
  }
  return has_any;
}

Status WithoutUnaskedItems(std::vector<Status> reasons, const TransactWriteItemsInput& input) {
  for (std::size_t i = 0; i < reasons.size() && i < input.actions.size(); ++i) {
    reasons[i] = std::visit([&](const auto& one) { return WithoutUnaskedItem(one, reasons[i]); },
                            input.actions[i].action);
  }
  return Status::TransactionCanceled(std::move(reasons));
}

}  // namespace

Result<TransactWriteItemsOutput> TransactWrite(const Service& service,
                                               const TransactWriteItemsInput& input) {
  const std::string& given = input.client_request_token;
  const Timestamp now =
      given.empty() ? service.Now() : service.token_times()->FirstUse(given, service.Now());
  std::vector<PlannedAction> actions;
  for (const TransactWriteItem& action : input.actions) {
    DOLMEN_ASSIGN_OR_RETURN(PlannedAction planned, Plan(action, input.options, now));
    actions.push_back(std::move(planned));
  }
  TransactWriteItemsOutput output;
  for (int attempt = 0; attempt < kAttemptsMax; ++attempt) {
    if (attempt > 1) service.PauseBefore(attempt - 1);
    const std::string body = WriteBody(input, given.empty() ? NewUuid() : given, actions);
    const auto sent = service.Send("TransactWriteItems", body, Repeat::kSafe);
    if (sent.ok()) {
      AddCapacities(ReadCapacities(sent->object(), Units::kWrite), &output.consumed_capacity);
      return output;
    }
    if (sent.status().code() != StatusCode::kTransactionCanceled) return sent.status();
    const std::vector<Status>& reasons = sent.status().reasons();
    DOLMEN_RETURN_IF_ERROR(CheckReasons(reasons, actions.size()));
    DOLMEN_ASSIGN_OR_RETURN(
        const bool may_repeat,
        DeleteHiddenItems(service, input, actions, reasons, &output.consumed_capacity));
    if (!may_repeat) return WithoutUnaskedItems(reasons, input);
  }
  return Status::TransactionConflict(
      "Other writers have put expired items before each attempt. Retry later.");
}

}  // namespace dolmen::remote
