// PartiQL statements: one of them (Database::Execute), a batch of them, or a transaction of them.
//
//   const auto page = db.Execute("SELECT * FROM app WHERE PK = ? AND begins_with(SK, ?)",
//                                {"CHAT#1", "MSG#"});
//
// https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/ql-reference.html

#pragma once

#include "dolmen/internal/hide_macros.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "dolmen/attribute_value.h"
#include "dolmen/consumed_capacity.h"
#include "dolmen/item_view.h"
#include "dolmen/operations.h"
#include "dolmen/query.h"
#include "dolmen/result.h"

namespace dolmen {

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
  // True: the statement may have what Dolmen adds to DynamoDB's dialect, which is EXPLAIN. False: it is
  // refused as in DynamoDB. A statement that works then also works in DynamoDB.
  bool additions = false;
  RequestOptions options = {};
  // The error of a parameter that could not be read from JSON. DynamoDB reports an error in the syntax
  // before it. Only dolmen::wire sets it.
  Status parameter_error = {};
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
  Status parameter_error = {};  // as in ExecuteStatementInput
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

}  // namespace dolmen

#include "dolmen/internal/show_macros.h"
