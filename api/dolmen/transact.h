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

// One action of a transaction, on one item of one table.  The table belongs to the database that
// does the transaction.  The action's return_values must be kNone, and an update must have an
// `update`.  With return_item_on_condition_failure, the item that failed a condition is in the
// action's reason: Status::reasons()[i].item().
// https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_TransactWriteItem.html
struct TransactWriteItem {
  TableRef table;
  std::variant<PutItemInput, UpdateItemInput, DeleteItemInput, ConditionCheckInput> action = {};
};

// The actions to do together.  Conditions and updates see the items as they are before all actions.
struct TransactWriteItemsInput {
  std::vector<TransactWriteItem> actions =
      {};  // 1 to 100, on different items; at most 4 MB written

  // A name of this transaction, which makes it safe to repeat; up to 36 characters in UTF-8.
  // Empty: no token.  For ten minutes of the database's clock after the transaction was committed,
  // doing the same actions with the same token changes nothing and succeeds.  That holds after the
  // database is reopened as well.  A transaction that failed does not use up its token.
  std::string client_request_token = {};

  ReturnConsumedCapacity return_consumed_capacity = ReturnConsumedCapacity::kNone;
};

// The outcome of a transaction that was committed.
struct TransactWriteItemsOutput {
  std::vector<ConsumedCapacity> consumed_capacity = {};  // one for each table, if asked for
};

// An item to read together with others.  The table belongs to the database that does the
// transaction.
struct TransactGetItem {
  TableRef table;
  Item key = {};                          // exactly the table's key attributes
  ProjectionExpression projection = {};   // the attributes to return; none: all attributes
  Names names = {};                       // the placeholders of `projection`
  std::optional<bool> hide_expired = {};  // nothing: as the table's time to live says
};

// The items to read as they are at one moment.
struct TransactGetItemsInput {
  std::vector<TransactGetItem> items = {};  // 1 to 100, each once; at most 4 MB of items
  ReturnConsumedCapacity return_consumed_capacity = ReturnConsumedCapacity::kNone;
};

// The items that were read.
struct TransactGetItemsOutput {
  // One for each item of the request, in its order; nothing for an item that does not exist.
  std::vector<std::optional<StoredItem>> items = {};
  std::vector<ConsumedCapacity> consumed_capacity = {};  // one for each table, if asked for
};

}  // namespace dolmen
