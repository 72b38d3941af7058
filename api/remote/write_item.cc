#include "remote/write_item.h"

#include <utility>

#include "database/validate.h"
#include "engine/base/status_macros.h"
#include "remote/action_request.h"
#include "remote/request_body.h"
#include "wire/item_requests.h"

namespace dolmen::remote {
namespace {

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

template <typename Input>
Result<WriteItemOutput> Write(const Service& service, const RemoteTable& table,
                              const Input& input) {
  DOLMEN_RETURN_IF_ERROR(Validate(input));
  const auto definition = table.definition();
  const auto hidden = definition->HiddenFrom(input.options.hide_expired, service.Now());
  DOLMEN_ASSIGN_OR_RETURN(const ActionRequest& action, MakeAction(input, hidden));
  const ReturnConsumedCapacity wanted = input.options.return_consumed_capacity;
  WriteItemOutput output;
  for (int attempt = 0; attempt < kAttemptsMax; ++attempt) {
    if (attempt > 1) service.PauseBefore(attempt - 1);
    const auto sent = SendAction(service, table, action, input.return_values, wanted);
    if (sent.ok()) {
      AddCapacity(ReadCapacity(sent->object(), Units::kWrite), &output.consumed_capacity);
      DOLMEN_ASSIGN_OR_RETURN(output.attributes, ReadStoredMember(sent->object(), "Attributes"));
      const bool returns_old = input.return_values == ReturnValues::kAllOld;
      if (returns_old && hidden && output.attributes && hidden->Hides(output.attributes->view())) {
        output.attributes.reset();
      }
      return output;
    }
    if (!IsRefusedByHidden(sent.status(), hidden)) return WithoutUnaskedItem(input, sent.status());
    DOLMEN_RETURN_IF_ERROR(DeleteHidden(service, table, KeyOf(input, definition->TableKeys()),
                                        *hidden, wanted, &output.consumed_capacity));
  }
  return Status::TransactionConflict(
      "Another writer has put an expired item before each attempt. Retry later.");
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
  const GetItemInput input{
      .key = key, .consistent_read = true, .options = {.return_consumed_capacity = wanted}};
  DOLMEN_ASSIGN_OR_RETURN(const Response& response,
                          service.Send("GetItem", wire::ToJson(table, input), Repeat::kSafe));
  AddCapacity(ReadCapacity(response.object(), Units::kRead), capacity);
  return ReadStoredMember(response.object(), "Item");
}

Status DeleteHidden(const Service& service, const RemoteTable& table, const Item& key,
                    const HiddenItems& hidden, ReturnConsumedCapacity wanted,
                    std::optional<ConsumedCapacity>* capacity) {
  DOLMEN_ASSIGN_OR_RETURN(const ActionRequest& deletion, DeletionOfHidden(key, hidden));
  const auto sent = SendAction(service, table, deletion, ReturnValues::kNone, wanted);
  if (sent.status().code() == StatusCode::kConditionalCheckFailed) return {};
  if (sent.ok()) AddCapacity(ReadCapacity(sent->object(), Units::kWrite), capacity);
  return sent.status();
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
