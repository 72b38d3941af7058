#include "engine/table/write_action.h"

#include <utility>

#include "engine/expression/parser.h"
#include "engine/key/key_codec.h"
#include "engine/table/index_upkeep.h"
#include "engine/table/key_paths.h"
#include "engine/value/codec.h"

namespace dolmen::engine {
namespace {

// Parses and binds the expressions; `update` is null for operations that have none.
Status BindExpressions(const Names& names, const Values& values, const std::string& condition,
                       const std::string* update, WriteAction* action) {
  const bool updates = update != nullptr && !update->empty();
  auto placeholders =
      update == nullptr
          ? Placeholders::Make(names, values, {{ExpressionKind::kCondition, !condition.empty()}})
          : Placeholders::Make(names, values,
                               {{ExpressionKind::kUpdate, updates},
                                {ExpressionKind::kCondition, !condition.empty()}});
  if (!placeholders.ok()) return placeholders.status();
  action->placeholders.emplace(*std::move(placeholders));
  if (updates) {
    auto syntax = ParseUpdate(*update);
    if (!syntax.ok()) return syntax.status();
    action->update_syntax.emplace(*std::move(syntax));
  }
  if (!condition.empty()) {
    auto syntax = ParseCondition(condition, ExpressionKind::kCondition);
    if (!syntax.ok()) return syntax.status();
    action->condition_syntax.emplace(*std::move(syntax));
  }
  if (action->update_syntax) {
    auto bound = BindUpdate(*action->update_syntax, *action->placeholders);
    if (!bound.ok()) return bound.status();
    action->update.emplace(*std::move(bound));
  }
  if (action->condition_syntax) {
    auto bound =
        BindCondition(*action->condition_syntax, ExpressionKind::kCondition, *action->placeholders);
    if (!bound.ok()) return bound.status();
    action->condition.emplace(*std::move(bound));
  }
  return action->placeholders->CheckAllUsed();
}

Status CheckReturnValues(ReturnValues values) {
  if (values == ReturnValues::kNone || values == ReturnValues::kAllOld) return {};
  return Status::Validation("ReturnValues can only be ALL_OLD or NONE");
}

// For an action on an item that is named by its key.
Status SetKey(const TableSchema& table, const Item& key, WriteAction* action) {
  const Result<KeyBytes> bytes = KeyOfRequest(table.keys, key);
  if (!bytes.ok()) return bytes.status();
  action->key = &key;
  action->row = RowKey(table.keyspace, table.keys, *bytes);
  return {};
}

// What the expressions do with key attributes.
Status CheckUsesOfKeys(const TableSchema& table, const WriteAction& action) {
  if (action.update) {
    Status valid = action.update->CheckLeavesKey(KeyNames(table.keys).span());
    if (valid.ok()) valid = CheckKeyPaths(table, action.update->nested_paths());
    if (valid.ok()) valid = CheckAssignedIndexKeys(table, *action.update);
    if (!valid.ok()) return valid;
  }
  return action.condition ? CheckKeyPaths(table, action.condition->paths()) : Status();
}

}  // namespace

Status Prepare(const TableSchema& table, const PutItemInput& input, WriteAction* action) {
  action->kind = WriteAction::Kind::kPut;
  action->table = &table;
  action->return_values = input.return_values;
  action->return_item_on_condition_failure = input.return_item_on_condition_failure;
  if (Status valid = CheckReturnValues(input.return_values); !valid.ok()) return valid;
  if (Status encoded = EncodeItem(input.item, &action->item); !encoded.ok()) return encoded;
  const Result<ItemView> item = ItemView::Parse(action->item);
  if (!item.ok()) return item.status();
  if (item->size_bytes() > kItemBytesMax) {
    return Status::Validation("Item size has exceeded the maximum allowed size");
  }
  if (Status bound = BindExpressions(input.names, input.values, input.condition, nullptr, action);
      !bound.ok()) {
    return bound;
  }
  if (Status uses = CheckUsesOfKeys(table, *action); !uses.ok()) return uses;
  const Result<KeyBytes> key = KeyOfNewItem(table.keys, *item);
  if (!key.ok()) return key.status();
  action->row = RowKey(table.keyspace, table.keys, *key);
  return CheckIndexKeys(table, *item, IndexKeySource::kItem);
}

Status Prepare(const TableSchema& table, const UpdateItemInput& input, WriteAction* action) {
  action->kind = WriteAction::Kind::kUpdate;
  action->table = &table;
  action->return_values = input.return_values;
  action->return_item_on_condition_failure = input.return_item_on_condition_failure;
  if (Status bound =
          BindExpressions(input.names, input.values, input.condition, &input.update, action);
      !bound.ok()) {
    return bound;
  }
  if (Status uses = CheckUsesOfKeys(table, *action); !uses.ok()) return uses;
  return SetKey(table, input.key, action);
}

Status Prepare(const TableSchema& table, const DeleteItemInput& input, WriteAction* action) {
  action->kind = WriteAction::Kind::kDelete;
  action->table = &table;
  action->return_values = input.return_values;
  action->return_item_on_condition_failure = input.return_item_on_condition_failure;
  if (Status valid = CheckReturnValues(input.return_values); !valid.ok()) return valid;
  if (Status bound = BindExpressions(input.names, input.values, input.condition, nullptr, action);
      !bound.ok()) {
    return bound;
  }
  if (Status uses = CheckUsesOfKeys(table, *action); !uses.ok()) return uses;
  return SetKey(table, input.key, action);
}

Status Prepare(const TableSchema& table, const ConditionCheckInput& input, WriteAction* action) {
  action->kind = WriteAction::Kind::kCheck;
  action->table = &table;
  action->return_item_on_condition_failure = input.return_item_on_condition_failure;
  if (input.condition.empty()) {
    return Status::Validation("Invalid ConditionExpression: The expression can not be empty;");
  }
  if (Status bound = BindExpressions(input.names, input.values, input.condition, nullptr, action);
      !bound.ok()) {
    return bound;
  }
  if (Status uses = CheckUsesOfKeys(table, *action); !uses.ok()) return uses;
  return SetKey(table, input.key, action);
}

}  // namespace dolmen::engine
