// A transaction as one would say it:
//
//   const auto sent = Transaction(db, app)
//                         .Put({.item = message, .condition = AttributeNotExists("PK")})
//                         .Update({.key = conversation, .update = Update().Set("last", at)})
//                         .Update({.key = participant, .update = Update().Set("read", at)})
//                         .Commit();
//
// It is Database::TransactWriteItems, whose contract it has.

#pragma once

#include <string>

#include "dolmen/database.h"

namespace dolmen {

// Collects actions; Commit does them.  A value, for one thread at a time.
class Transaction {
 public:
  // The actions are on items of `table`, until In names another one.
  Transaction(Database database, Table table);

  // The actions that follow are on items of `table`.
  Transaction& In(Table table);

  Transaction& Put(PutItemInput action);
  Transaction& Update(UpdateItemInput action);
  Transaction& Delete(DeleteItemInput action);
  Transaction& Check(ConditionCheckInput action);

  // TransactWriteItemsInput's client_request_token.
  Transaction& WithToken(std::string client_request_token);
  Transaction& ReturnCapacity(ReturnConsumedCapacity which);

  // May be called again, which does it all again: after a conflict, for instance.  With a token,
  // what was done is not done twice.
  Result<TransactWriteItemsOutput> Commit() const;

  // What Commit hands over.
  const TransactWriteItemsInput& input() const DOLMEN_LIFETIME_BOUND { return input_; }

 private:
  template <typename Action>
  Transaction& Add(Action action);

  Database database_;
  Table table_;
  TransactWriteItemsInput input_;
};

}  // namespace dolmen
