// Many items by one call, of any tables of a database.  A batch is no transaction: its parts may be
// seen one by one.
// https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_BatchGetItem.html
// https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_BatchWriteItem.html

#pragma once

#include <optional>
#include <variant>
#include <vector>

#include "dolmen/capacity.h"
#include "dolmen/operations.h"
#include "dolmen/table_ref.h"

namespace dolmen {

// What to read of one table.
struct KeysAndAttributes {
  TableRef table;
  std::vector<Item> keys = {};           // each once
  ProjectionExpression projection = {};  // none: all attributes
  Names names = {};
  bool consistent_read = false;           // as in GetItemInput
  std::optional<bool> hide_expired = {};  // nothing: as the table has it (time_to_live.h)
};

struct BatchGetItemInput {
  std::vector<KeysAndAttributes> requests = {};  // 1 to 100 keys in all
  ReturnConsumedCapacity return_consumed_capacity = ReturnConsumedCapacity::kNone;
};

struct BatchGetItemOutput {
  // For each of the requests the items that there are, in the order of their keys.
  std::vector<std::vector<StoredItem>> responses = {};
  // What is left to be asked for again, because it would be more than 16 MB; empty otherwise.  As
  // many as the last of the requests, in their order, each with the last of its keys, or all.
  std::vector<KeysAndAttributes> unprocessed_keys = {};
  std::vector<ConsumedCapacity> consumed_capacity = {};  // one for each table, if asked for
};

struct PutRequest {
  Item item = {};
};
struct DeleteRequest {
  Item key = {};
};
using WriteRequest = std::variant<PutRequest, DeleteRequest>;

// What to write to one table.
struct WriteRequests {
  TableRef table;
  std::vector<WriteRequest> requests = {};  // on different items
};

struct BatchWriteItemInput {
  std::vector<WriteRequests> requests = {};  // 1 to 25 in all
  ReturnConsumedCapacity return_consumed_capacity = ReturnConsumedCapacity::kNone;
};

struct BatchWriteItemOutput {
  // Always empty as yet: a batch is written as a whole, or fails as one.
  std::vector<WriteRequests> unprocessed_items = {};
  std::vector<ConsumedCapacity> consumed_capacity = {};  // one for each table, if asked for
};

}  // namespace dolmen
