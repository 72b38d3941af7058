// One write of one item, validated and bound: what PutItem, UpdateItem, DeleteItem and the actions
// of a transaction have in common.

#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "dolmen/batch.h"
#include "dolmen/operations.h"
#include "dolmen/status.h"
#include "engine/expression/placeholders.h"
#include "engine/expression/request_expression.h"
#include "engine/key/encoded_key.h"
#include "engine/schema/live_table.h"
#include "engine/schema/table_schema.h"

namespace dolmen::engine {

// Borrows from the table's schema and from the request, which must outlive it.  Its parts borrow
// from each other: it stays where it is made.
struct WriteAction {
  // kExpire: a deletion by the database itself, of an item that has expired.
  enum class Kind : std::uint8_t { kPut, kUpdate, kDelete, kCheck, kExpire };

  WriteAction() = default;
  WriteAction(const WriteAction&) = delete;
  WriteAction& operator=(const WriteAction&) = delete;

  Kind kind = Kind::kCheck;
  const TableSchema* table = nullptr;
  const LiveTable* live = nullptr;  // whose schema `table` should still be; null: never mind
  EncodedKey row;
  std::string item = {};      // kPut: the new item in its stored form
  const Item* key = nullptr;  // the others: the item's key

  std::optional<Placeholders> placeholders = {};
  RequestCondition condition = {};
  RequestUpdate update = {};

  ReturnValues return_values = ReturnValues::kNone;
  bool return_item_on_condition_failure = false;
  std::optional<bool> hide_expired = {};
};

// Each fills a fresh action with what can be decided from the request alone.
// kValidation, with DynamoDB's messages, if the request is wrong whatever its table is.
Status Validate(const PutItemInput& input, WriteAction* action);
Status Validate(const UpdateItemInput& input, WriteAction* action);
Status Validate(const DeleteItemInput& input, WriteAction* action);
Status Validate(const ConditionCheckInput& input, WriteAction* action);

// Each validates, and fills a fresh action with all that can be decided from the request and the
// schema.  kValidation, with DynamoDB's messages, if the request is wrong whatever the table holds.
// Another schema may say otherwise: set `live` if it can change.
Status Prepare(const TableSchema& table, const PutItemInput& input, WriteAction* action);
Status Prepare(const TableSchema& table, const UpdateItemInput& input, WriteAction* action);
Status Prepare(const TableSchema& table, const DeleteItemInput& input, WriteAction* action);
Status Prepare(const TableSchema& table, const ConditionCheckInput& input, WriteAction* action);

// The same of the requests of a batch.
Status Prepare(const TableSchema& table, const PutRequest& request, WriteAction* action);
Status Prepare(const TableSchema& table, const DeleteRequest& request, WriteAction* action);

// A row whose item is to be deleted if it has expired.
struct ExpireInput {
  EncodedKey row;
};
Status Prepare(const TableSchema& table, const ExpireInput& input, WriteAction* action);

}  // namespace dolmen::engine
