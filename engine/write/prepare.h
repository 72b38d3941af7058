// Write actions. Each operation that writes turns its request into actions: one for each item.

#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "dolmen/batch.h"
#include "dolmen/item_view.h"
#include "dolmen/operations.h"
#include "dolmen/result.h"
#include "engine/expression/placeholders.h"
#include "engine/expression/request_expression.h"
#include "engine/key/encoded_key.h"
#include "engine/schema/live_table.h"
#include "engine/schema/table_schema.h"
#include "engine/write/index_upkeep.h"

namespace dolmen::engine {

// One write of one item. Borrows from the table's schema and from the request, which must outlive
// it. Some of its members borrow from other members, so it cannot be copied or moved.
struct WriteAction {
  // kExpire is the sweeper's deletion of an expired item.
  enum class Kind : std::uint8_t { kPut, kUpdate, kDelete, kCheck, kExpire };

  WriteAction() = default;
  WriteAction(const WriteAction&) = delete;
  WriteAction& operator=(const WriteAction&) = delete;

  Kind kind = Kind::kCheck;
  // True if the action is one of a transaction. The caller sets it before it calls Validate or Prepare.
  bool in_transaction = false;
  const TableSchema* table = nullptr;
  // The table whose schema is `table`. If the table has a different schema when the rows are
  // locked, the write returns kSchemaChanged and writes nothing. Null: the write does not compare
  // the schemas, because the caller knows that the schema does not change.
  const LiveTable* live = nullptr;
  EncodedKey row;
  // True if Prepare has failed because the key does not match the table's key schema, or because an attribute does
  // not have the type that the key of an index demands. Without a valid key the action has no row. In a transaction
  // the error is the action's cancellation reason.
  bool schema_mismatch = false;
  std::string item = {};           // the new item in its stored form; kPut only
  ItemView new_item = {};          // a view of `item`
  IndexKeyValues index_keys = {};  // of new_item
  const Item* key = nullptr;       // the item's key; null for kPut and kExpire

  std::optional<Placeholders> placeholders = {};
  RequestCondition condition = {};
  RequestUpdate update = {};
  // False if the action is an update that changes no attribute whose value is an index key value.
  bool touches_index_keys = true;

  // True if Decide must check Update::CheckCharge, because the clauses may exceed the limit.
  bool check_charge = false;

  ReturnValues return_values = ReturnValues::kNone;
  bool return_item_on_condition_failure = false;
  std::optional<bool> hide_expired = {};  // nothing: the table's default
};

// The origin of an item: kItem if the request contains the item, kUpdate if an update produces it.
// The origin determines the error message if the item is too large.
enum class SizeSource : std::uint8_t { kItem, kUpdate };

// Checks the size of an item alone.
// - kValidation: the item is over 400 KB.
Status CheckItemSize(const ItemView& item, SizeSource source);

// Checks the size of an item together with its entries in local indexes.
// - kValidation: the item together with the entries is over 400 KB.
Status CheckItemSize(const TableSchema& table, const ItemView& item, SizeSource source);

// Checks the request, as far as this is possible without the table's schema, and copies the
// request's parts into the action. DynamoDB reports the faults of an action of a transaction in another order than
// those of a write of one item.
// - kValidation, with DynamoDB's message: the request would be invalid for every table.
// - kValidation, with DynamoDB's message: an action of a transaction is an update without an expression.
// - kValidation: an action of a transaction has return_values.
// REQUIRES: `action` was not used before, except that in_transaction was set.
Status Validate(const PutItemInput& input, WriteAction* action);
Status Validate(const UpdateItemInput& input, WriteAction* action);
Status Validate(const DeleteItemInput& input, WriteAction* action);
Status Validate(const ConditionCheckInput& input, WriteAction* action);

// Checks the placeholders and the syntax of the expressions of an action of a transaction, and nothing else.
// - kValidation, with DynamoDB's message: an error of ParseExpressions.
// REQUIRES: `action` was not used before.
Status ValidateSyntax(const PutItemInput& input, WriteAction* action);
Status ValidateSyntax(const UpdateItemInput& input, WriteAction* action);
Status ValidateSyntax(const DeleteItemInput& input, WriteAction* action);
Status ValidateSyntax(const ConditionCheckInput& input, WriteAction* action);

// Checks the request and sets all members of the action except `live`. The action is valid only
// for the schema `table`. If this schema can change before the write, the caller sets `live`.
// - kValidation, with DynamoDB's message: the request is invalid for a table with this schema.
// REQUIRES: `action` was not used before.
Status Prepare(const TableSchema& table, const PutItemInput& input, WriteAction* action);
Status Prepare(const TableSchema& table, const UpdateItemInput& input, WriteAction* action);
Status Prepare(const TableSchema& table, const DeleteItemInput& input, WriteAction* action);
Status Prepare(const TableSchema& table, const ConditionCheckInput& input, WriteAction* action);

// Applies Update::CheckCharge to a prepared action. For the operation UpdateItem only.
// REQUIRES: Prepare has returned ok for `input` and `action`.
void LimitCharge(const UpdateItemInput& input, WriteAction* action);

// Check one write of a BatchWriteItem and set all members of the action except `live`.
// - kValidation, with DynamoDB's message: the write is invalid for a table with this schema.
// REQUIRES: `action` was not used before.
Status Prepare(const TableSchema& table, const PutRequest& request, WriteAction* action);
Status Prepare(const TableSchema& table, const DeleteRequest& request, WriteAction* action);

// A request of the sweeper to delete the row's item if it has expired.
struct ExpireInput {
  EncodedKey row;
};
// Sets all members of the action except `live`. Always returns ok.
Status Prepare(const TableSchema& table, const ExpireInput& input, WriteAction* action);

}  // namespace dolmen::engine
