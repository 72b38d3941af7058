// Transactions: reads or writes of many items of any tables of a database, all of them or none.
//
//   const auto sent = Transaction(db, app)
//                         .Put({.item = message, .condition = AttributeNotExists("PK")})
//                         .Update({.key = conversation, .update = Update().Set("last", at)})
//                         .Update({.key = participant, .update = Update().Set("read", at)})
//                         .Commit();
//
// https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/transaction-apis.html

#pragma once

#include "dolmen/internal/hide_macros.h"

#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "dolmen/consumed_capacity.h"
#include "dolmen/expression.h"
#include "dolmen/internal/lifetime.h"
#include "dolmen/item_view.h"
#include "dolmen/operations.h"
#include "dolmen/result.h"
#include "dolmen/table_ref.h"

namespace dolmen {

class Database;

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
      {};  // 1 to 100, on different items; of at most 4 MB together

  // A token that makes it safe to repeat the transaction; up to 36 characters in UTF-8. Empty: no
  // token. For ten minutes after the commit, by the database's clock, a request with the same token
  // and the same actions changes nothing and succeeds. The token stays valid after the database is
  // reopened. A transaction that failed does not use up its token.
  std::string client_request_token = {};

  RequestOptions options = {};  // hide_expired of an action overrides that of the transaction
};

// The outcome of a transaction that was committed.
struct TransactWriteItemsOutput {
  std::vector<ConsumedCapacity> consumed_capacity = {};  // one for each table, if asked for
};

// An item to read together with others. The table must belong to the database that executes the
// transaction.
struct TransactGetItem {
  TableRef table;
  Item key = {};                         // exactly the table's key attributes
  ProjectionExpression projection = {};  // the attributes to return; none: all attributes
  Names names = {};                      // the placeholders of `projection`
  RequestOptions options = {};           // hide_expired only; it overrides that of the request
};

// The items to read from one snapshot.
struct TransactGetItemsInput {
  std::vector<TransactGetItem> items = {};  // 1 to 100, each once; at most 4 MB of items
  RequestOptions options = {};
};

// The items that were read.
struct TransactGetItemsOutput {
  // The items, in the order of the request. An element is nothing if its item does not exist.
  std::vector<std::optional<StoredItem>> items = {};
  std::vector<ConsumedCapacity> consumed_capacity = {};  // one for each table, if asked for
};

// A list of actions to commit together. Nothing is checked or written before Commit. A value
// type; only one thread at a time may use an object.
class Transaction {
 public:
  // Makes a transaction without actions. The actions are on items of `table` until a call of In()
  // names a different table.
  Transaction(const Database& database, const TableRef& table);

  // Sets the table of the actions that follow. The table must belong to the transaction's database.
  Transaction& In(const TableRef& table);

  // Add an action. All actions must be on different items. The action of Check() writes nothing;
  // the transaction succeeds only if the condition of this action holds. The methods return *this,
  // so that calls can be chained.
  Transaction& Put(PutItemInput action);
  Transaction& Update(UpdateItemInput action);
  Transaction& Delete(DeleteItemInput action);
  Transaction& Check(ConditionCheckInput action);

  // Sets the token that makes repeating Commit safe: TransactWriteItemsInput::client_request_token.
  Transaction& WithToken(std::string client_request_token);

  // Sets TransactWriteItemsInput::options.
  Transaction& WithOptions(RequestOptions options);

  // Does all actions or none of them, as one atomic write. Returns the errors of
  // Database::TransactWriteItems.
  //
  // After a conflict, call Commit again to retry. After a success, a second call does the actions
  // again, or changes nothing if the transaction has a token.
  Result<TransactWriteItemsOutput> Commit() const;

  // Returns the request that Commit passes to the database. Valid until the Transaction is
  // changed, moved from or destroyed.
  const TransactWriteItemsInput& input() const DOLMEN_LIFETIME_BOUND { return input_; }

 private:
  template <typename Action>
  Transaction& Add(Action action);

  std::shared_ptr<internal::Backend> backend_;
  TableRef table_;
  TransactWriteItemsInput input_;
};

}  // namespace dolmen

#include "dolmen/internal/show_macros.h"
