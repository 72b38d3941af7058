#include "engine/write/prepare.h"

#include <utility>

#include "engine/key/key_codec.h"
#include "engine/schema/key_paths.h"
#include "engine/value/codec.h"
#include "engine/write/item_size.h"

namespace dolmen::engine {
namespace {

Status CheckReturnValues(ReturnValues values) {
  if (values == ReturnValues::kNone || values == ReturnValues::kAllOld) return {};
  return Status::Validation("ReturnValues can only be ALL_OLD or NONE");
}

// Copies into the action the options that all write requests have.
template <typename Input>
void CopyOptions(const Input& input, WriteAction* action) {
  action->hide_expired = input.options.hide_expired;
  action->return_item_on_condition_failure = input.return_item_on_condition_failure;
  if constexpr (requires { input.return_values; }) action->return_values = input.return_values;
}

// Binds the expressions of an operation that has a condition and no other expression.
template <typename Input>
Status BindCondition(const Input& input, WriteAction* action) {
  return BindExpressions(input.names, input.values, &action->placeholders,
                         ExpressionSlot{input.condition, &action->condition});
}

// Checks that the update does not change a key attribute of the table, and that no path leads into
// a key attribute. Checks the values that the update assigns to keys of indexes.
Status CheckKeyUses(const TableSchema& table, const WriteAction& action) {
  if (action.update) {
    Status valid = action.update->CheckKeyUnchanged(KeyNames(table.keys).span());
    if (valid.ok()) valid = CheckKeyPaths(table, action.update->nested_paths());
    if (valid.ok()) valid = CheckAssignedIndexKeys(table, *action.update);
    if (!valid.ok()) return valid;
  }
  return action.condition ? CheckKeyPaths(table, action.condition->paths()) : Status();
}

// Makes the action a put of `item`, and encodes the item.
Status EncodeNewItem(const Item& item, WriteAction* action) {
  action->kind = WriteAction::Kind::kPut;
  if (Status encoded = EncodeItem(item, &action->item); !encoded.ok()) return encoded;
  const Result<ItemView> view = ItemView::Parse(action->item);
  if (!view.ok()) return view.status();
  action->new_item = *view;
  return {};
}

// Checks the new item against the table's schema, and sets the action's row.
Status PrepareNewItem(const TableSchema& table, PutBy by, WriteAction* action) {
  const ItemView& item = action->new_item;
  const Result<KeyBytes> key = KeyOfNewItem(table.keys, item, by);
  if (!key.ok()) return key.status();
  action->row = RowKey(table.keyspace, *key);
  action->index_keys = FindIndexKeyValues(table, item);
  if (Status keys = CheckIndexKeys(table, action->index_keys); !keys.ok()) return keys;
  return CheckItemSize(table, item, SizeSource::kItem);
}

Status SetKey(const TableSchema& table, const Item& key, WriteAction* action) {
  const Result<KeyBytes> bytes = KeyOfRequest(table.keys, key);
  if (!bytes.ok()) return bytes.status();
  action->key = &key;
  action->row = RowKey(table.keyspace, *bytes);
  return {};
}

// Validates and prepares an action whose request names the item by its key.
template <typename Input>
Status PrepareByKey(const TableSchema& table, const Input& input, WriteAction* action) {
  if (Status valid = Validate(input, action); !valid.ok()) return valid;
  action->table = &table;
  if (Status uses = CheckKeyUses(table, *action); !uses.ok()) return uses;
  return SetKey(table, input.key, action);
}

}  // namespace

Status Validate(const PutItemInput& input, WriteAction* action) {
  CopyOptions(input, action);
  if (Status encoded = EncodeNewItem(input.item, action); !encoded.ok()) return encoded;
  if (Status valid = CheckReturnValues(input.return_values); !valid.ok()) return valid;
  if (Status size = CheckItemSize(action->new_item, SizeSource::kItem); !size.ok()) return size;
  return BindCondition(input, action);
}

Status Validate(const UpdateItemInput& input, WriteAction* action) {
  action->kind = WriteAction::Kind::kUpdate;
  CopyOptions(input, action);
  if (Status key = CheckItem(input.key); !key.ok()) return key;
  return BindExpressions(input.names, input.values, &action->placeholders,
                         ExpressionSlot{input.update, &action->update},
                         ExpressionSlot{input.condition, &action->condition});
}

Status Validate(const DeleteItemInput& input, WriteAction* action) {
  action->kind = WriteAction::Kind::kDelete;
  CopyOptions(input, action);
  if (Status key = CheckItem(input.key); !key.ok()) return key;
  if (Status valid = CheckReturnValues(input.return_values); !valid.ok()) return valid;
  return BindCondition(input, action);
}

Status Validate(const ConditionCheckInput& input, WriteAction* action) {
  action->kind = WriteAction::Kind::kCheck;
  CopyOptions(input, action);
  if (Status key = CheckItem(input.key); !key.ok()) return key;
  if (!input.condition.given()) {
    return Status::Validation("Invalid ConditionExpression: The expression can not be empty;");
  }
  return BindCondition(input, action);
}

Status Prepare(const TableSchema& table, const PutItemInput& input, WriteAction* action) {
  if (Status valid = Validate(input, action); !valid.ok()) return valid;
  action->table = &table;
  if (Status uses = CheckKeyUses(table, *action); !uses.ok()) return uses;
  return PrepareNewItem(table, PutBy::kPutItem, action);
}

Status Prepare(const TableSchema& table, const PutRequest& request, WriteAction* action) {
  action->table = &table;
  if (Status encoded = EncodeNewItem(request.item, action); !encoded.ok()) return encoded;
  if (Status size = CheckItemSize(action->new_item, SizeSource::kItem); !size.ok()) return size;
  return PrepareNewItem(table, PutBy::kBatch, action);
}

Status Prepare(const TableSchema& table, const DeleteRequest& request, WriteAction* action) {
  action->kind = WriteAction::Kind::kDelete;
  action->table = &table;
  if (Status key = CheckItem(request.key); !key.ok()) return key;
  return SetKey(table, request.key, action);
}

Status Prepare(const TableSchema& table, const UpdateItemInput& input, WriteAction* action) {
  return PrepareByKey(table, input, action);
}

Status Prepare(const TableSchema& table, const DeleteItemInput& input, WriteAction* action) {
  return PrepareByKey(table, input, action);
}

Status Prepare(const TableSchema& table, const ConditionCheckInput& input, WriteAction* action) {
  return PrepareByKey(table, input, action);
}

Status Prepare(const TableSchema& table, const ExpireInput& input, WriteAction* action) {
  action->kind = WriteAction::Kind::kExpire;
  action->table = &table;
  action->row = input.row;
  return {};
}

}  // namespace dolmen::engine
