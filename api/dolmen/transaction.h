// A transaction that collects its actions one by one.
//
//   const auto sent = Transaction(db, app)
//                         .Put({.item = message, .condition = AttributeNotExists("PK")})
//                         .Update({.key = conversation, .update = Update().Set("last", at)})
//                         .Update({.key = participant, .update = Update().Set("read", at)})
//                         .Commit();
//
// Commit calls Database::TransactWriteItems, so the rules, limits and errors are those of that
// method.

#pragma once

#include <string>

#include "dolmen/database.h"

namespace dolmen {

// A list of actions to commit together. Nothing is checked or written before Commit. A value
// type; only one thread at a time may use an object.
class Transaction {
 public:
  // Makes a transaction without actions. The actions are on items of `table` until a call of In()
  // names a different table.
  Transaction(Database database, Table table);

  // Sets the table of the actions that follow. The table must belong to the transaction's database.
  Transaction& In(Table table);

  // Add an action. All actions must be on different items. The action of Check() writes nothing;
  // the transaction succeeds only if the condition of this action holds. The methods return *this,
  // so that calls can be chained.
  Transaction& Put(PutItemInput action);
  Transaction& Update(UpdateItemInput action);
  Transaction& Delete(DeleteItemInput action);
  Transaction& Check(ConditionCheckInput action);

  // Sets the token that makes repeating Commit safe: TransactWriteItemsInput::client_request_token.
  Transaction& WithToken(std::string client_request_token);

  // Sets the level of detail at which Commit reports the consumed capacity; by default kNone.
  Transaction& ReturnCapacity(ReturnConsumedCapacity which);

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

  Database database_;
  Table table_;
  TransactWriteItemsInput input_;
};

}  // namespace dolmen
