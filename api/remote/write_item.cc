#include "remote/write_item.h"

#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

#include "database/validate.h"
#include "engine/base/status_macros.h"
#include "engine/expression/expression_writer.h"
#include "wire/item_requests.h"

namespace dolmen::remote {
namespace {

template <typename Input>
constexpr std::string_view kOperation = "";
template <>
constexpr std::string_view kOperation<PutItemInput> = "PutItem";
template <>
constexpr std::string_view kOperation<UpdateItemInput> = "UpdateItem";
template <>
constexpr std::string_view kOperation<DeleteItemInput> = "DeleteItem";

// Returns true if a repetition of the request does no harm and returns the same.
template <typename Input>
bool IsRepeatable(const Input& sent) {
  return !std::is_same_v<Input, UpdateItemInput> && !sent.condition.given() &&
         sent.return_values == ReturnValues::kNone;
}

template <typename Input>
Result<Response> Send(const Service& service, const RemoteTable& table, const Input& request) {
  const Repeat repeat = IsRepeatable(request) ? Repeat::kSafe : Repeat::kUnsafe;
  return service.Send(kOperation<Input>, wire::ToJson(table.name(), request), repeat);
}

template <typename Input>
Result<WriteItemOutput> Write(const Service& service, const RemoteTable& table,
                              const Input& input) {
  DOLMEN_RETURN_IF_ERROR(Validate(input));
  const auto definition = table.definition();
  const auto hidden = definition->HiddenFrom(input.options.hide_expired, service.Now());
  DOLMEN_ASSIGN_OR_RETURN(const Input& request, ToSend(input, hidden));
  const ReturnConsumedCapacity wanted = input.options.return_consumed_capacity;
  WriteItemOutput output;
  for (int attempt = 0; attempt < kAttemptsMax; ++attempt) {
    if (attempt > 1) service.PauseBefore(attempt - 1);
    const auto sent = Send(service, table, request);
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

template <typename Input>
Result<Input> ToSend(const Input& input, const std::optional<HiddenItems>& hidden) {
  Input request = input;
  internal::ExpressionWriter expressions;
  DOLMEN_RETURN_IF_ERROR(expressions.Begin(input.names, input.values));
  if (hidden && (!std::is_same_v<Input, PutItemInput> || input.condition.given())) {
    const std::string visible = VisibleText(*hidden, &expressions);
    DOLMEN_ASSIGN_OR_RETURN(request.condition, expressions.And(input.condition, visible));
    request.return_item_on_condition_failure = true;
  } else if (input.condition.given()) {
    DOLMEN_ASSIGN_OR_RETURN(request.condition, expressions.Text(input.condition));
  }
  if constexpr (std::is_same_v<Input, UpdateItemInput>) {
    if (input.update.given()) {
      DOLMEN_ASSIGN_OR_RETURN(request.update, expressions.Text(input.update));
    }
  }
  request.names = expressions.names();
  request.values = expressions.values();
  return request;
}

template Result<PutItemInput> ToSend(const PutItemInput&, const std::optional<HiddenItems>&);
template Result<UpdateItemInput> ToSend(const UpdateItemInput&, const std::optional<HiddenItems>&);
template Result<DeleteItemInput> ToSend(const DeleteItemInput&, const std::optional<HiddenItems>&);
template Result<ConditionCheckInput> ToSend(const ConditionCheckInput&,
                                            const std::optional<HiddenItems>&);

Status DeleteHidden(const Service& service, const RemoteTable& table, const Item& key,
                    const HiddenItems& hidden, ReturnConsumedCapacity wanted,
                    std::optional<ConsumedCapacity>* capacity) {
  internal::ExpressionWriter expressions;
  DeleteItemInput deletion{.key = key, .condition = HiddenText(hidden, &expressions)};
  deletion.names = expressions.names();
  deletion.values = expressions.values();
  deletion.options.return_consumed_capacity = wanted;
  const auto sent = Send(service, table, deletion);
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
