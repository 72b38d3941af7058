#include "remote/write_item.h"

#include <type_traits>
#include <utility>

#include "database/validate.h"
#include "dolmen/internal/item_rewriter.h"
#include "engine/base/status_macros.h"
#include "remote/action_request.h"
#include "remote/request_body.h"

namespace dolmen::remote {
namespace {

using internal::HiddenItems;

// Returns true if a repetition of the request does no harm and returns the same.
bool IsRepeatable(const ActionRequest& action, ReturnValues returned) {
  return action.condition.empty() && action.kind != ActionRequest::Kind::kUpdate &&
         returned == ReturnValues::kNone;
}

Result<Response> SendAction(const Service& service, const RemoteTable& table,
                            const ActionRequest& action, ReturnValues returned,
                            ReturnConsumedCapacity wanted) {
  RequestBody body;
  WriteAction(table.name(), action, &body.json());
  WriteReturnValues(returned, &body.json());
  WriteReturnConsumedCapacity(wanted, &body.json());
  const Repeat repeat = IsRepeatable(action, returned) ? Repeat::kSafe : Repeat::kUnsafe;
  return service.Send(OperationName(action.kind), body.Finish(), repeat);
}

// Returns the item that made a condition false; nothing if the service has not returned it.
std::optional<StoredItem> ItemOf(const Status& error) {
  return error.item() == nullptr ? std::nullopt : std::optional(*error.item());
}

// Decides the write for its item and sends it, until no other writer has interfered. `seen` is the item;
// nothing if it must be read first.
template <typename Input>
Result<WriteItemOutput> WriteDecided(const Service& service, const RemoteTable& table,
                                     const TableDefinition& definition, const Input& input,
                                     const std::optional<HiddenItems>& hidden,
                                     std::optional<StoredItem> seen) {
  const ReturnConsumedCapacity wanted = input.options.return_consumed_capacity;
  const std::vector<std::string> keys = definition.TableKeys();
  WriteItemOutput output;
  for (int attempt = 0; attempt < kDecisionsMax; ++attempt) {
    if (attempt > 0) service.PauseBefore(attempt);
    std::optional<StoredItem> old = std::exchange(seen, std::nullopt);
    if (!old) {
      DOLMEN_ASSIGN_OR_RETURN(old, ReadLatest(service, table.name(), KeyOf(input, keys), wanted,
                                              &output.consumed_capacity));
    }
    const bool is_hidden = old && hidden && hidden->Hides(old->view());
    std::optional<ItemView> visible;
    if (old && !is_hidden) visible = old->view();
    DOLMEN_ASSIGN_OR_RETURN(internal::WriteDecision decision,
                            internal::DecideWrite(*definition.rules, input, visible));
    output.attributes = decision.attributes;
    if (decision.kind == internal::WriteDecision::Kind::kNothing) return output;
    DOLMEN_ASSIGN_OR_RETURN(const ActionRequest& action,
                            GuardedAction(KeyOf(input, keys), keys, old, is_hidden, decision));
    const auto sent = SendAction(service, table, action, ReturnValues::kNone, wanted);
    if (sent.ok()) {
      AddCapacity(ReadCapacity(sent->object(), Units::kWrite), &output.consumed_capacity);
      return output;
    }
    if (sent.status().code() != StatusCode::kConditionalCheckFailed) return sent.status();
    seen = ItemOf(sent.status());
  }
  return Status::TransactionConflict(
      "Other writers have changed the item each time between its read and its write. Retry later.");
}

// Sends an update with a rewriter.
Result<WriteItemOutput> WriteRewritten(const Service& service, const RemoteTable& table,
                                       const TableDefinition& definition,
                                       const UpdateItemInput& input,
                                       const std::optional<HiddenItems>& hidden) {
  std::optional<StoredItem> seen;
  const auto plain = PlainForm(input, hidden);
  if (plain) {
    const auto sent = SendAction(service, table, plain->action, plain->return_values,
                                 input.options.return_consumed_capacity);
    if (sent.ok()) {
      if (plain->return_values == ReturnValues::kAllNew) {
        DOLMEN_ASSIGN_OR_RETURN(const auto updated, ReadStoredMember(sent->object(), "Attributes"));
        if (!updated) return Status::InternalServerError();
        DOLMEN_RETURN_IF_ERROR(input.rewriter->Updated(updated->view()));
      }
      return WriteItemOutput{.consumed_capacity = ReadCapacity(sent->object(), Units::kWrite)};
    }
    const StatusCode code = sent.status().code();
    // A service can refuse the longer expressions.
    if (code != StatusCode::kConditionalCheckFailed && code != StatusCode::kValidation) {
      return sent.status();
    }
    seen = ItemOf(sent.status());
  }
  return WriteDecided(service, table, definition, input, hidden, std::move(seen));
}

template <typename Input>
Result<WriteItemOutput> Write(const Service& service, const RemoteTable& table,
                              const Input& input) {
  DOLMEN_RETURN_IF_ERROR(Validate(input));
  const auto definition = table.definition();
  const auto hidden = definition->rules->HiddenFrom(input.options.hide_expired, service.Now());
  if constexpr (std::is_same_v<Input, UpdateItemInput>) {
    if (input.rewriter != nullptr)
      return WriteRewritten(service, table, *definition, input, hidden);
  }
  DOLMEN_ASSIGN_OR_RETURN(const ActionRequest& action, PlainAction(input, hidden));
  const auto sent = SendAction(service, table, action, input.return_values,
                               input.options.return_consumed_capacity);
  if (!sent.ok()) {
    std::optional<StoredItem> item = ItemOf(sent.status());
    if (hidden && item && hidden->Hides(item->view())) {
      return WriteDecided(service, table, *definition, input, hidden, std::move(item));
    }
    return WithoutUnaskedItem(input, sent.status());
  }
  WriteItemOutput output{.consumed_capacity = ReadCapacity(sent->object(), Units::kWrite)};
  DOLMEN_ASSIGN_OR_RETURN(output.attributes, ReadStoredMember(sent->object(), "Attributes"));
  const bool returns_old = input.return_values == ReturnValues::kAllOld;
  if (returns_old && hidden && output.attributes && hidden->Hides(output.attributes->view())) {
    output.attributes.reset();
  }
  return output;
}

}  // namespace

Item KeyOf(const PutItemInput& input, const std::vector<std::string>& keys) {
  Item key;
  for (const std::string& name : keys) {
    if (const auto found = input.item.find(name); found != input.item.end()) {
      key.emplace(found->first, found->second);
    }
  }
  return key;
}

Result<std::optional<StoredItem>> ReadLatest(const Service& service, std::string_view table,
                                             const Item& key, ReturnConsumedCapacity wanted,
                                             std::optional<ConsumedCapacity>* capacity) {
  RequestBody body;
  body.json().StringField("TableName", table);
  DOLMEN_RETURN_IF_ERROR(WriteItem("Key", key, &body.json()));
  body.json().BooleanField("ConsistentRead", true);
  WriteReturnConsumedCapacity(wanted, &body.json());
  DOLMEN_ASSIGN_OR_RETURN(const Response& response,
                          service.Send("GetItem", body.Finish(), Repeat::kSafe));
  AddCapacity(ReadCapacity(response.object(), Units::kRead), capacity);
  return ReadStoredMember(response.object(), "Item");
}

Result<WriteItemOutput> WriteOneItem(const Service& service, const RemoteTable& table,
                                     const PutItemInput& input) {
  return Write(service, table, input);
}
Result<WriteItemOutput> WriteOneItem(const Service& service, const RemoteTable& table,
                                     const UpdateItemInput& input) {
  return Write(service, table, input);
}
Result<WriteItemOutput> WriteOneItem(const Service& service, const RemoteTable& table,
                                     const DeleteItemInput& input) {
  return Write(service, table, input);
}

}  // namespace dolmen::remote
