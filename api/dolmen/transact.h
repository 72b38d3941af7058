// Transactions: several items of any tables of a database, written or read as one.
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

// One action of a transaction, on one item of one table.
struct TransactWriteItem {
  TableRef table;
  std::variant<PutItemInput, UpdateItemInput, DeleteItemInput, ConditionCheckInput> action = {};
};

struct TransactWriteItemsInput {
  std::vector<TransactWriteItem> actions = {};  // 1 to 100, on different items

  // Up to 36 characters that name this transaction: for ten minutes of the database's clock after
  // it was done, doing it again does nothing and succeeds, also after reopening.  Empty: no token.
  std::string client_request_token = {};

  ReturnConsumedCapacity return_consumed_capacity = ReturnConsumedCapacity::kNone;
};

struct TransactWriteItemsOutput {
  std::vector<ConsumedCapacity> consumed_capacity = {};  // one for each table, if asked for
};

struct TransactGetItem {
  TableRef table;
  Item key = {};
  ProjectionExpression projection = {};  // none: all attributes
  Names names = {};
  std::optional<bool> hide_expired = {};  // nothing: as the table has it (time_to_live.h)
};

struct TransactGetItemsInput {
  std::vector<TransactGetItem> items = {};  // 1 to 100
  ReturnConsumedCapacity return_consumed_capacity = ReturnConsumedCapacity::kNone;
};

struct TransactGetItemsOutput {
  std::vector<std::optional<StoredItem>> items = {};  // as asked for; nothing where there is none
  std::vector<ConsumedCapacity> consumed_capacity = {};  // one for each table, if asked for
};

}  // namespace dolmen
