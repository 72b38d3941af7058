// Requests on many items of any tables of a database: batches, transactions and PartiQL statements.
//
//   const auto sent = Transaction(db, app)
//                         .Put({.item = message, .condition = AttributeNotExists("PK")})
//                         .Update({.key = conversation, .update = Update().Set("last", at)})
//                         .Update({.key = participant, .update = Update().Set("read", at)})
//                         .Commit();
//   const auto read = db.BatchGetItem({.requests = {{.table = app, .keys = {key1, key2}}}});
//   const auto written = db.BatchWriteItem(
//       {.requests = {{.table = app, .requests = {PutRequest{item}, DeleteRequest{old_key}}}}});
//
// A batch has no conditions and no updates. A program that needs conditions or updates uses a
// transaction. Dolmen does all writes of a batch or none, but DynamoDB may do only some of them. A
// program that also runs against DynamoDB and needs all writes or none uses a transaction.
// https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_BatchGetItem.html
// https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_BatchWriteItem.html
// https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/transaction-apis.html

#pragma once

#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "dolmen/operations.h"
#include "dolmen/query.h"
#include "dolmen/result.h"

namespace dolmen {

class Database;

// The items to read from one table. The table must belong to the database that executes the batch.
// https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_KeysAndAttributes.html
struct KeysAndAttributes {
  TableRef table;
  std::vector<Item> keys = {};           // at least one; a key occurs once in the batch
  ProjectionExpression projection = {};  // the attributes to return; none: all attributes
  Names names = {};                      // the placeholders of `projection`
  bool consistent_read = false;          // as in GetItemInput
  RequestOptions options = {};           // hide_expired only; it overrides that of the batch
};

// A batch of reads.
struct BatchGetItemInput {
  std::vector<KeysAndAttributes> requests = {};  // together 1 to 100 keys
  RequestOptions options = {};
};

// The items that were read.
struct BatchGetItemOutput {
  // The existing items of each request, in the order of the request's keys. An item that does not
  // exist is left out, so the position of an item can differ from the position of its key.
  std::vector<std::vector<StoredItem>> responses = {};

  // Requests with the keys that were not read: all items together would exceed 16 MB, or a simulation
  // (simulate.h) or a service left them. Empty if all keys were read. Call BatchGetItem again with these
  // requests. They have the order of the input, and each holds only its keys that were not read.
  std::vector<KeysAndAttributes> unprocessed_keys = {};

  std::vector<ConsumedCapacity> consumed_capacity = {};  // one for each table, if asked for
};

// A put or a deletion of one item, without a condition. `item` has the key attributes and at most
// 400 KB; `key` has exactly the key attributes. Deleting an item that does not exist succeeds.
struct PutRequest {
  Item item = {};
};
struct DeleteRequest {
  Item key = {};
};
using WriteRequest = std::variant<PutRequest, DeleteRequest>;

// The writes to one table. The table must belong to the database that executes the batch.
struct WriteRequests {
  TableRef table;
  std::vector<WriteRequest> requests = {};  // at least one; the batch has one write per item
};

// A batch of writes.
struct BatchWriteItemInput {
  std::vector<WriteRequests> requests = {};  // together 1 to 25 writes
  RequestOptions options = {};
};

// The outcome of a batch that was written.
struct BatchWriteItemOutput {
  // The writes that were not done. Empty on an embedded database without a simulation (simulate.h), which
  // does all writes of a batch or none. A service can leave writes. A program that also runs on a
  // service must send the returned writes again.
  std::vector<WriteRequests> unprocessed_items = {};
  std::vector<ConsumedCapacity> consumed_capacity = {};  // one for each table, if asked for
};

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

// A PartiQL statement: a SELECT, an INSERT, an UPDATE or a DELETE, which names its table.
// https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_ExecuteStatement.html
struct ExecuteStatementInput {
  std::string statement = {};    // 1 to 8,192 bytes
  List parameters = {};          // the values of the statement's `?`, in their order
  bool consistent_read = false;  // SELECT only; as in GetItemInput
  // SELECT only: the number of items after which a page ends, counted before the condition; at least
  // 1. Nothing: only 1 MB of items ends a page.
  std::optional<std::uint32_t> limit = {};
  std::string next_token = {};  // SELECT only: ExecuteStatementOutput::next_token of the last page
  bool return_item_on_condition_failure = false;  // UPDATE and DELETE only
  RequestOptions options = {};
};

// The result of a statement.
struct ExecuteStatementOutput {
  // The items that SELECT reads or RETURNING returns, and the consumed capacity. If there is a
  // next_token, last_evaluated_key() is the key of the last item that was read. It is empty if the
  // page ended between two partitions of an IN.
  QueryOutput page = {};
  // The token with which the same statement, with the same parameters, returns the next page. Empty
  // if no page follows. As in DynamoDB, a page that ends at the limit has a token even if nothing
  // follows.
  std::string next_token = {};
};

// A statement of a batch or a transaction, which reads or writes one item.
struct StatementRequest {
  std::string statement = {};
  List parameters = {};
  bool consistent_read = false;  // batches only
  bool return_item_on_condition_failure = false;
};

// Statements that are executed one after the other.
// https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_BatchExecuteStatement.html
struct BatchExecuteStatementInput {
  std::vector<StatementRequest> statements = {};  // 1 to 25, all SELECT or all writes
  RequestOptions options = {};
};

// The outcome of one statement of a batch.
struct BatchStatementResponse {
  std::string table_name = {};  // empty if the statement is invalid for every table
  Status status = {};
  std::optional<StoredItem> item = {};  // the item that was read, or that RETURNING returns
};
struct BatchExecuteStatementOutput {
  std::vector<BatchStatementResponse> responses = {};  // in the order of the statements
  // One for each table on which a statement has succeeded, if asked for. As in DynamoDB, `total` also
  // has the units of the writes that a false condition has prevented.
  std::vector<ConsumedCapacity> consumed_capacity = {};
};

// Statements that are executed together: all of them or none.
// https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_ExecuteTransaction.html
struct ExecuteTransactionInput {
  std::vector<StatementRequest> statements = {};  // 1 to 100, on different items
  std::string client_request_token = {};          // as in TransactWriteItemsInput
  RequestOptions options = {};
};
struct ExecuteTransactionOutput {
  // The items that a transaction of SELECT has read, in the order of the statements; nothing for an
  // item that does not exist. Empty if the statements write.
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

  internal::Shared<internal::Backend> backend_;
  TableRef table_;
  TransactWriteItemsInput input_;
};

}  // namespace dolmen
