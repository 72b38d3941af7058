#include "remote/action_request.h"

#include <utility>

#include "engine/base/status_macros.h"
#include "engine/value/stored_form.h"
#include "remote/request_body.h"

namespace dolmen::remote {
namespace {

// Sets the item, the condition and the placeholders. `if_visible` adds the condition that the item is
// not hidden.
template <typename Input>
Result<ActionRequest> BeginAction(ActionRequest::Kind kind, const Item& item, const Input& input,
                                  const std::optional<HiddenItems>& hidden, bool if_visible) {
  ActionRequest request{.kind = kind,
                        .return_old_on_failure = input.return_item_on_condition_failure};
  DOLMEN_ASSIGN_OR_RETURN(request.item, internal::ToStored(item));
  DOLMEN_RETURN_IF_ERROR(request.expressions.Begin(input.names, input.values));
  if (hidden && if_visible) {
    const std::string visible = VisibleText(*hidden, &request.expressions);
    DOLMEN_ASSIGN_OR_RETURN(request.condition, request.expressions.And(input.condition, visible));
    request.return_old_on_failure = true;
  } else if (input.condition.given()) {
    DOLMEN_ASSIGN_OR_RETURN(request.condition, request.expressions.Text(input.condition));
  }
  return request;
}

}  // namespace

Result<ActionRequest> MakeAction(const PutItemInput& input,
                                 const std::optional<HiddenItems>& hidden) {
  return BeginAction(ActionRequest::Kind::kPut, input.item, input, hidden, input.condition.given());
}

Result<ActionRequest> MakeAction(const UpdateItemInput& input,
                                 const std::optional<HiddenItems>& hidden) {
  Result<ActionRequest> request =
      BeginAction(ActionRequest::Kind::kUpdate, input.key, input, hidden, true);
  if (!request.ok() || !input.update.given()) return request;
  DOLMEN_ASSIGN_OR_RETURN(request->update, request->expressions.Text(input.update));
  return request;
}

Result<ActionRequest> MakeAction(const DeleteItemInput& input,
                                 const std::optional<HiddenItems>& hidden) {
  return BeginAction(ActionRequest::Kind::kDelete, input.key, input, hidden, true);
}

Result<ActionRequest> MakeAction(const ConditionCheckInput& input,
                                 const std::optional<HiddenItems>& hidden) {
  return BeginAction(ActionRequest::Kind::kCheck, input.key, input, hidden, true);
}

Result<ActionRequest> DeletionOfHidden(const Item& key, const HiddenItems& hidden) {
  ActionRequest request{.kind = ActionRequest::Kind::kDelete};
  DOLMEN_ASSIGN_OR_RETURN(request.item, internal::ToStored(key));
  request.condition = HiddenText(hidden, &request.expressions);
  return request;
}

void WriteAction(std::string_view table, const ActionRequest& action, wire::JsonWriter* json) {
  json->StringField("TableName", table);
  json->Key(action.kind == ActionRequest::Kind::kPut ? "Item" : "Key");
  json->Attributes(action.item.view());
  WriteText("UpdateExpression", action.update, json);
  WriteText("ConditionExpression", action.condition, json);
  WritePlaceholders(action.expressions, json);
  if (action.return_old_on_failure) {
    json->StringField("ReturnValuesOnConditionCheckFailure", "ALL_OLD");
  }
}

std::string_view OperationName(ActionRequest::Kind kind) {
  switch (kind) {
    case ActionRequest::Kind::kPut:
      return "PutItem";
    case ActionRequest::Kind::kDelete:
      return "DeleteItem";
    case ActionRequest::Kind::kUpdate:
      return "UpdateItem";
    case ActionRequest::Kind::kCheck:
      break;  // is part of a transaction
  }
  return {};
}

std::string_view ActionName(ActionRequest::Kind kind) {
  switch (kind) {
    case ActionRequest::Kind::kPut:
      return "Put";
    case ActionRequest::Kind::kUpdate:
      return "Update";
    case ActionRequest::Kind::kDelete:
      return "Delete";
    case ActionRequest::Kind::kCheck:
      return "ConditionCheck";
  }
  return {};
}

}  // namespace dolmen::remote
