#include "engine/table/write_action.h"

#include <utility>

#include "engine/key/key_codec.h"
#include "engine/table/index_upkeep.h"
#include "engine/table/key_paths.h"
#include "engine/value/codec.h"

namespace dolmen::engine {
namespace {

Status CheckReturnValues(ReturnValues values) {
  if (values == ReturnValues::kNone || values == ReturnValues::kAllOld) return {};
  return Status::Validation("ReturnValues can only be ALL_OLD or NONE");
}

// For an action on an item that is named by its key.
Status SetKey(const TableSchema& table, const Item& key, WriteAction* action) {
  const Result<KeyBytes> bytes = KeyOfRequest(table.keys, key);
  if (!bytes.ok()) return bytes.status();
  action->key = &key;
  action->row = RowKey(table.keyspace, *bytes);
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

// For operations that have a condition and no other expression.
template <typename Input>
Status BindCondition(const TableSchema& table, const Input& input, WriteAction* action) {
  Status bound = BindExpressions(input.names, input.values, &action->placeholders,
                                 ExpressionSlot{input.condition, &action->condition});
  return bound.ok() ? CheckUsesOfKeys(table, *action) : bound;
}

}  // namespace

Status Prepare(const TableSchema& table, const PutItemInput& input, WriteAction* action) {
  action->kind = WriteAction::Kind::kPut;
  action->table = &table;
  action->hide_expired = input.hide_expired;
  action->return_values = input.return_values;
  action->return_item_on_condition_failure = input.return_item_on_condition_failure;
  if (Status valid = CheckReturnValues(input.return_values); !valid.ok()) return valid;
  if (Status encoded = EncodeItem(input.item, &action->item); !encoded.ok()) return encoded;
  const Result<ItemView> item = ItemView::Parse(action->item);
  if (!item.ok()) return item.status();
  if (item->size_bytes() > kItemBytesMax) {
    return Status::Validation("Item size has exceeded the maximum allowed size");
  }
  if (Status bound = BindCondition(table, input, action); !bound.ok()) return bound;
  const Result<KeyBytes> key = KeyOfNewItem(table.keys, *item);
  if (!key.ok()) return key.status();
  action->row = RowKey(table.keyspace, *key);
  return CheckIndexKeys(table, *item);
}

Status Prepare(const TableSchema& table, const UpdateItemInput& input, WriteAction* action) {
  action->kind = WriteAction::Kind::kUpdate;
  action->table = &table;
  action->hide_expired = input.hide_expired;
  action->return_values = input.return_values;
  action->return_item_on_condition_failure = input.return_item_on_condition_failure;
  Status bound = BindExpressions(input.names, input.values, &action->placeholders,
                                 ExpressionSlot{input.update, &action->update},
                                 ExpressionSlot{input.condition, &action->condition});
  if (!bound.ok()) return bound;
  if (Status uses = CheckUsesOfKeys(table, *action); !uses.ok()) return uses;
  return SetKey(table, input.key, action);
}

Status Prepare(const TableSchema& table, const DeleteItemInput& input, WriteAction* action) {
  action->kind = WriteAction::Kind::kDelete;
  action->table = &table;
  action->hide_expired = input.hide_expired;
  action->return_values = input.return_values;
  action->return_item_on_condition_failure = input.return_item_on_condition_failure;
  if (Status valid = CheckReturnValues(input.return_values); !valid.ok()) return valid;
  if (Status bound = BindCondition(table, input, action); !bound.ok()) return bound;
  return SetKey(table, input.key, action);
}

Status Prepare(const TableSchema& table, const ConditionCheckInput& input, WriteAction* action) {
  action->kind = WriteAction::Kind::kCheck;
  action->table = &table;
  action->hide_expired = input.hide_expired;
  action->return_item_on_condition_failure = input.return_item_on_condition_failure;
  if (!input.condition.given()) {
    return Status::Validation("Invalid ConditionExpression: The expression can not be empty;");
  }
  if (Status bound = BindCondition(table, input, action); !bound.ok()) return bound;
  return SetKey(table, input.key, action);
}

Status Prepare(const TableSchema& table, const ExpireInput& input, WriteAction* action) {
  action->kind = WriteAction::Kind::kExpire;
  action->table = &table;
  action->row = input.row;
  return {};
}

}  // namespace dolmen::engine
