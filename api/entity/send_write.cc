#include "dolmen/entity/send_write.h"

#include <algorithm>
#include <utility>
#include <variant>
#include <vector>

#include "dolmen/entity/item.h"
#include "engine/base/status_macros.h"
#include "entity/changed_item.h"
#include "entity/decided_update.h"
#include "entity/describe_request.h"
#include "entity/plain_update.h"
#include "entity/write_group.h"

namespace dolmen::entity {
namespace {

bool IsUpdate(const PlannedWrite& write) {
  return std::holds_alternative<UpdateItemInput>(write.action);
}

Action& ActionToSend(PlannedWrite* write) { return write->sent ? *write->sent : write->action; }

// Sets what is sent for the update to its plain form. Returns false if the update must be decided.
bool UsePlainForm(bool in_transaction, PlannedWrite* write) {
  if (in_transaction && write->updated != nullptr) return false;  // a transaction returns no items
  std::optional<UpdateItemInput> plain = MakePlainUpdate(*write);
  if (!plain) return false;
  if (in_transaction && !plain->update.given()) {
    write->sent = ConditionCheckInput{.key = std::move(plain->key),
                                      .condition = std::move(plain->condition),
                                      .return_item_on_condition_failure = true};
    return true;
  }
  if (write->updated != nullptr) plain->return_values = ReturnValues::kAllNew;
  write->sent = *std::move(plain);
  return true;
}

// Sets what is sent for the update to what it makes of the item (DecideUpdate).
Status Decide(const std::optional<StoredItem>& item, PlannedWrite* write) {
  DOLMEN_ASSIGN_OR_RETURN(DecidedUpdate decided, DecideUpdate(*write, item));
  write->sent = std::move(decided.action);
  if (write->updated != nullptr) *write->updated = std::move(decided.value);
  return {};
}

// Returns a check that fails for every item. A transaction with it finds out which other writes are refused,
// and for which item the update is.
Action RefusedCheck(const PlannedWrite& write) {
  const Attr partition(write.entity->primary().partition_name);
  return ConditionCheckInput{
      .key = std::get_if<UpdateItemInput>(&write.action)->key,
      .condition = AttributeExists(partition) && AttributeNotExists(partition),
      .return_item_on_condition_failure = true};
}

// Reads the entity from the item that the plain form of its update returns.
Status ReadUpdated(const PlannedWrite& write, const std::optional<StoredItem>& item) {
  if (write.updated == nullptr) return {};
  if (!item) return Status::InternalServerError();
  *write.updated = OwnedStruct(*write.entity);
  const Status read = DecodeItem(*write.entity, item->view(), write.updated->get());
  if (read.ok()) return {};
  return Status::Corruption(read.message() + ". The update was executed nevertheless");
}

// Sends one write with what its declaration adds. If a condition is false, returns the error from
// ExplainRefusal. If `write` is an error, returns the error and sends nothing.
Status Send(const RequestSender& sender, Result<PlannedWrite> write) {
  if (!write.ok()) return write.status();
  if (!AddsWrites(*write)) return sender.SendWrite(*std::move(write));
  std::vector<PlannedWrite> writes;
  writes.push_back(*std::move(write));
  Status status = WriteGroup().Send(sender, &writes, "");
  return status.code() == StatusCode::kTransactionCanceled ? status.reasons()[0] : status;
}

}  // namespace

Status SendCreate(const RequestSender& sender, const EntitySpec& entity, void* value) {
  return Send(sender, PlanCreate(entity, sender.context(), value));
}

Status SendPut(const RequestSender& sender, const EntitySpec& entity, void* value) {
  return Send(sender, PlanPut(entity, sender.context(), value));
}

Status SendUpdate(const RequestSender& sender, const EntitySpec& entity, const void* key,
                  const ChangeList& changes, OwnedStruct* updated) {
  DOLMEN_ASSIGN_OR_RETURN(PlannedWrite write, PlanUpdate(entity, sender.context(), key, changes));
  write.updated = updated;
  return Send(sender, std::move(write));
}

Status SendRemove(const RequestSender& sender, const EntitySpec& entity, const void* key,
                  const std::optional<ConditionBuilder>& condition, std::string words) {
  return Send(sender, PlanRemove(entity, key, condition, std::move(words)));
}

Result<WriteItemOutput> RequestSender::SendAction(PlannedWrite* write) const {
  const auto send = [&]() -> Result<WriteItemOutput> {
    Action* const action = &ActionToSend(write);
    if (auto* put = std::get_if<PutItemInput>(action)) {
      put->options.return_consumed_capacity = CapacityToReturn();
      return table().PutItem(*put);
    }
    if (auto* update = std::get_if<UpdateItemInput>(action)) {
      update->options.return_consumed_capacity = CapacityToReturn();
      return table().UpdateItem(*update);
    }
    if (auto* remove = std::get_if<DeleteItemInput>(action)) {
      remove->options.return_consumed_capacity = CapacityToReturn();
      return table().DeleteItem(*remove);
    }
    return Status::Validation("A condition check can only be part of a transaction");
  };
  Result<WriteItemOutput> output = send();
  if (state_->observer) {
    NotifyObserver({.operation = OperationNameOf(ActionToSend(write)),
                    .request = DescribeWriteKey(*write),
                    .details = DescribeDetails(*write)},
                   output.ok() ? output->consumed_capacity : std::nullopt);
  }
  return output;
}

Status RequestSender::SendWrite(PlannedWrite write) const {
  if (IsUpdate(write)) return SendUpdate(&write);
  const Result<WriteItemOutput> output = SendAction(&write);
  return output.ok() ? Status() : ExplainRefusal(write, output.status());
}

Status RequestSender::SendUpdate(PlannedWrite* write) const {
  bool is_plain = UsePlainForm(false, write);
  Status refusal;  // of the last attempt
  for (int attempt = 0; attempt < kAttemptsMax; ++attempt) {
    if (!is_plain) {
      DOLMEN_ASSIGN_OR_RETURN(const auto item, ItemToDecide(*write, refusal));
      const Status decided = Decide(item, write);
      if (!decided.ok()) return ExplainRefusal(*write, decided);
      if (std::holds_alternative<ConditionCheckInput>(*write->sent)) return {};  // nothing changes
    }
    const Result<WriteItemOutput> output = SendAction(write);
    if (output.ok()) return is_plain ? ReadUpdated(*write, output->attributes) : Status();
    refusal = output.status();
    if (refusal.code() != StatusCode::kConditionalCheckFailed) return refusal;
    is_plain = false;
  }
  return Status::TransactionConflict(
      "other writers changed the item during each attempt; try again");
}

Result<std::optional<StoredItem>> RequestSender::ItemToDecide(const PlannedWrite& write,
                                                              const Status& refusal) const {
  if (refusal.item() != nullptr) return std::optional(*refusal.item());
  const UpdateItemInput& update = *std::get_if<UpdateItemInput>(&write.action);
  DOLMEN_ASSIGN_OR_RETURN(GetItemOutput output, GetItem(update.key, true));
  return std::move(output.item);
}

Result<bool> RequestSender::DecideRefused(std::vector<PlannedWrite>* writes,
                                          std::vector<Status>* reasons) const {
  bool may_repeat = false;
  for (std::size_t i = 0; i < writes->size(); ++i) {
    PlannedWrite& write = (*writes)[i];
    Status& reason = (*reasons)[i];
    if (!IsUpdate(write) || reason.code() != StatusCode::kConditionalCheckFailed) continue;
    DOLMEN_ASSIGN_OR_RETURN(const auto item, ItemToDecide(write, reason));
    reason = Decide(item, &write);
    may_repeat = true;
  }
  return may_repeat && std::ranges::all_of(*reasons, &Status::ok);
}

Status RequestSender::SendTransaction(std::vector<PlannedWrite>* writes,
                                      const std::string& token) const {
  TransactWriteItemsInput input = {.client_request_token = token,
                                   .options = {.return_consumed_capacity = CapacityToReturn()}};
  RequestTrace trace = {.operation = "TransactWriteItems"};
  if (state_->observer) {
    trace.request = DescribeWrites(*writes);
    trace.details = DescribeDetails(*writes);
  }
  input.actions.reserve(writes->size());
  for (PlannedWrite& write : *writes) {
    input.actions.push_back({.table = table(), .action = std::move(ActionToSend(&write))});
  }
  const Result<TransactWriteItemsOutput> output = database().TransactWriteItems(input);
  for (std::size_t i = 0; i < writes->size(); ++i) {
    ActionToSend(&(*writes)[i]) = std::move(input.actions[i].action);
  }
  if (state_->observer) {
    NotifyObserver(std::move(trace),
                   output.ok() ? output->consumed_capacity : std::vector<ConsumedCapacity>());
  }
  return output.status();
}

Status RequestSender::TransactWriteItems(std::vector<PlannedWrite>* writes,
                                         const std::string& token) const {
  for (PlannedWrite& write : *writes) {
    if (!IsUpdate(write) || write.sent || UsePlainForm(true, &write)) continue;
    DOLMEN_ASSIGN_OR_RETURN(const auto item, ItemToDecide(write, Status()));
    if (!Decide(item, &write).ok()) write.sent = RefusedCheck(write);
  }
  for (int attempt = 0; attempt < kAttemptsMax; ++attempt) {
    const Status status = SendTransaction(writes, token);
    if (status.code() != StatusCode::kTransactionCanceled) return status;
    std::vector<Status> reasons = status.reasons();
    DOLMEN_ASSIGN_OR_RETURN(const bool may_repeat, DecideRefused(writes, &reasons));
    if (may_repeat) continue;
    for (std::size_t i = 0; i < writes->size(); ++i) {
      reasons[i] = ExplainRefusal((*writes)[i], reasons[i]);
    }
    return Status::TransactionCanceled(std::move(reasons));
  }
  return Status::TransactionConflict(
      "other writers changed the items during each attempt; try again");
}

}  // namespace dolmen::entity
