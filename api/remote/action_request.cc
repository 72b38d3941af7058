#include "remote/action_request.h"

#include <algorithm>
#include <utility>

#include "dolmen/internal/item_rewriter.h"
#include "engine/base/status_macros.h"
#include "engine/value/stored_form.h"
#include "remote/hidden_filter.h"
#include "remote/request_body.h"

namespace dolmen::remote {
namespace {

using internal::HiddenItems;

// DynamoDB allows 300 operators in an expression. The condition on n attributes has 2n - 1.
constexpr std::size_t kGuardedAttributesMax = 140;

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

void AddClause(std::string clause, std::string* condition) {
  if (!condition->empty()) condition->append(" AND ");
  condition->append(clause);
}

// Returns the condition that the item has exactly the values of `old` in the attributes of `old`.
Result<std::string> UnchangedText(const ItemView& old, internal::ExpressionWriter* expressions) {
  if (old.attributes().size() > kGuardedAttributesMax) {
    return Status::Validation(
        "The item has more than 140 attributes, so it cannot be compared in a condition. A remote "
        "table changes an entity only if its item has at most 140 attributes, old and new "
        "together.");
  }
  std::string condition;
  for (const auto& [name, value] : old) {
    AddClause(expressions->NameToken(name) + " = " + expressions->ValueToken(value), &condition);
  }
  return condition;
}

bool IsKey(const std::vector<std::string>& keys, std::string_view name) {
  return std::ranges::find(keys, name) != keys.end();
}

// Makes the request an update of `old` to `item`, which has the same key. New attributes must still
// be absent.
void SetDifference(const ItemView& old, const ItemView& item, const std::vector<std::string>& keys,
                   ActionRequest* request) {
  std::string set;
  std::string remove;
  for (const auto& [name, value] : item) {
    const AttributeView before = old[name];
    if (before == value) continue;
    const std::string token = request->expressions.NameToken(name);
    if (!before) AddClause("attribute_not_exists(" + token + ")", &request->condition);
    set.append(set.empty() ? "SET " : ", ").append(token).append(" = ");
    set.append(request->expressions.ValueToken(value));
  }
  for (const auto& [name, value] : old) {
    if (item[name] || IsKey(keys, name)) continue;
    remove.append(remove.empty() ? "REMOVE " : ", ").append(request->expressions.NameToken(name));
  }
  request->update = set.empty() || remove.empty() ? set + remove : set + " " + remove;
  request->kind = ActionRequest::Kind::kUpdate;
}

}  // namespace

Result<ActionRequest> PlainAction(const PutItemInput& input,
                                  const std::optional<HiddenItems>& hidden) {
  return BeginAction(ActionRequest::Kind::kPut, input.item, input, hidden, input.condition.given());
}

Result<ActionRequest> PlainAction(const UpdateItemInput& input,
                                  const std::optional<HiddenItems>& hidden) {
  Result<ActionRequest> request =
      BeginAction(ActionRequest::Kind::kUpdate, input.key, input, hidden, true);
  if (!request.ok() || !input.update.given()) return request;
  DOLMEN_ASSIGN_OR_RETURN(request->update, request->expressions.Text(input.update));
  return request;
}

Result<ActionRequest> PlainAction(const DeleteItemInput& input,
                                  const std::optional<HiddenItems>& hidden) {
  return BeginAction(ActionRequest::Kind::kDelete, input.key, input, hidden, true);
}

Result<ActionRequest> PlainAction(const ConditionCheckInput& input,
                                  const std::optional<HiddenItems>& hidden) {
  return BeginAction(ActionRequest::Kind::kCheck, input.key, input, hidden, true);
}

std::optional<PlainUpdateAction> PlainForm(const UpdateItemInput& input,
                                           const std::optional<HiddenItems>& hidden) {
  UpdateItemInput plain = input;
  if (!input.rewriter->MakePlain(&plain)) return std::nullopt;
  plain.return_item_on_condition_failure = true;
  Result<ActionRequest> action = PlainAction(plain, hidden);
  if (!action.ok()) return std::nullopt;  // the decision finds the error, too
  if (action->update.empty()) action->kind = ActionRequest::Kind::kCheck;
  return PlainUpdateAction{.action = *std::move(action), .return_values = plain.return_values};
}

Result<ActionRequest> GuardedAction(const Item& key, const std::vector<std::string>& keys,
                                    const std::optional<StoredItem>& old, bool is_hidden,
                                    const internal::WriteDecision& decision) {
  using Effect = internal::WriteDecision::Kind;
  ActionRequest request{.return_old_on_failure = true};
  if (old) {
    DOLMEN_ASSIGN_OR_RETURN(request.condition, UnchangedText(old->view(), &request.expressions));
  } else {
    const std::string name = request.expressions.NameToken(keys[0]);
    request.condition = "attribute_not_exists(" + name + ")";
  }
  DOLMEN_ASSIGN_OR_RETURN(request.item, internal::ToStored(key));
  if (decision.kind == Effect::kDelete) request.kind = ActionRequest::Kind::kDelete;
  if (decision.kind != Effect::kPut) return request;
  if (old && !is_hidden) {
    SetDifference(old->view(), decision.item->view(), keys, &request);
    if (request.update.empty()) request.kind = ActionRequest::Kind::kCheck;
  } else {
    request.kind = ActionRequest::Kind::kPut;
    request.item = *decision.item;
  }
  return request;
}

Result<ActionRequest> FailingAction(const Item& key, const std::string& key_name) {
  ActionRequest request;
  DOLMEN_ASSIGN_OR_RETURN(request.item, internal::ToStored(key));
  const std::string name = request.expressions.NameToken(key_name);
  request.condition = "attribute_exists(" + name + ") AND attribute_not_exists(" + name + ")";
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
    case ActionRequest::Kind::kCheck:
      return "UpdateItem";  // without an UpdateExpression it changes no existing item
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
