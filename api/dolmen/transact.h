// Transactions: up to 100 items of any tables of a database, written or read as one atomic step.
// transaction.h has a class that collects the actions.
//
//   const auto sent = db.TransactWriteItems(
//       {.actions = {{app, PutItemInput{.item = message}},
//                    {app, UpdateItemInput{.key = user, .update = Update().Set("last", at)}},
//                    {app, ConditionCheckInput{.key = room, .condition = "open = :yes",
//                                              .values = {{":yes", true}}}}}});
//
// https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/transaction-apis.html

#pragma once

#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "dolmen/capacity.h"
#include "dolmen/operations.h"
#include "dolmen/table_ref.h"

namespace dolmen {

// One action of a transaction, on one item of one table. The table must belong to the database
// that executes the transaction. The action's return_values must be kNone, and the field `update`
// of an UpdateItemInput must not be empty. With return_item_on_condition_failure, the item that
// failed a condition is in the action's reason: Status::reasons()[i].item().
// https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_TransactWriteItem.html
struct TransactWriteItem {
  TableRef table;
  std::variant<PutItemInput, UpdateItemInput, DeleteItemInput, ConditionCheckInput> action = {};
};

// The actions of one transaction. Conditions and updates see the items as they are before all
// actions.
struct TransactWriteItemsInput {
  std::vector<TransactWriteItem> actions =
      {};  // 1 to 100, on different items; they write at most 4 MB

  // A token that makes it safe to repeat the transaction; up to 36 characters in UTF-8. Empty: no
  // token. For ten minutes after the commit, by the database's clock, a request with the same token
  // and the same actions changes nothing and succeeds. The token stays valid after the database is
  // reopened. A transaction that failed does not use up its token.
  std::string client_request_token = {};

  ReturnConsumedCapacity return_consumed_capacity = ReturnConsumedCapacity::kNone;
};

// The outcome of a transaction that was committed.
struct TransactWriteItemsOutput {
  std::vector<ConsumedCapacity> consumed_capacity = {};  // one for each table, if asked for
};

// An item to read together with others. The table must belong to the database that executes the
// transaction.
struct TransactGetItem {
  TableRef table;
  Item key = {};                          // exactly the table's key attributes
  ProjectionExpression projection = {};   // the attributes to return; none: all attributes
  Names names = {};                       // the placeholders of `projection`
  std::optional<bool> hide_expired = {};  // nothing: the table's hide_expired
};

// The items to read from one snapshot.
struct TransactGetItemsInput {
  std::vector<TransactGetItem> items = {};  // 1 to 100, each once; at most 4 MB of items
  ReturnConsumedCapacity return_consumed_capacity = ReturnConsumedCapacity::kNone;
};

// The items that were read.
struct TransactGetItemsOutput {
  // The items, in the order of the request. An element is nothing if its item does not exist.
  std::vector<std::optional<StoredItem>> items = {};
  std::vector<ConsumedCapacity> consumed_capacity = {};  // one for each table, if asked for
};

}  // namespace dolmen
