// Batches: many items of any tables of a database, read or written by one call.
//
//   const auto read = db.BatchGetItem({.requests = {{.table = app, .keys = {key1, key2}}}});
//   const auto written = db.BatchWriteItem(
//       {.requests = {{.table = app, .requests = {PutRequest{item}, DeleteRequest{old_key}}}}});
//
// A batch has no conditions and no updates.  A program that needs these, or relies on all or
// nothing, uses a transaction (transact.h).  DynamoDB promises atomicity for each single item only.
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

// The items to read of one table.  The table belongs to the database that does the request.
// https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_KeysAndAttributes.html
struct KeysAndAttributes {
  TableRef table;
  std::vector<Item> keys = {};            // at least one; each once in the whole batch
  ProjectionExpression projection = {};   // the attributes to return; none: all attributes
  Names names = {};                       // the placeholders of `projection`
  bool consistent_read = false;           // decides which capacity is counted (GetItemInput)
  std::optional<bool> hide_expired = {};  // nothing: as the table's time to live says
};

// A batch of reads.
struct BatchGetItemInput {
  std::vector<KeysAndAttributes> requests = {};  // with 1 to 100 keys together
  ReturnConsumedCapacity return_consumed_capacity = ReturnConsumedCapacity::kNone;
};

// The items that were read.
struct BatchGetItemOutput {
  // The existing items of each request, in the order of the request's keys.  An item that does not
  // exist is left out, so a key and its item may stand at different places.
  std::vector<std::vector<StoredItem>> responses = {};

  // The keys that were not read because the items would be more than 16 MB together; empty
  // otherwise.  Call BatchGetItem again with these requests.  They are in the order of the input,
  // each with the keys that are left of it.
  std::vector<KeysAndAttributes> unprocessed_keys = {};

  std::vector<ConsumedCapacity> consumed_capacity = {};  // one for each table, if asked for
};

// A put or a deletion of one item, without a condition.  `item` has the key attributes and at most
// 400 KB; `key` has exactly the key attributes.  Deleting an item that does not exist succeeds.
struct PutRequest {
  Item item = {};
};
struct DeleteRequest {
  Item key = {};
};
using WriteRequest = std::variant<PutRequest, DeleteRequest>;

// The writes to one table.  The table belongs to the database that does the request.
struct WriteRequests {
  TableRef table;
  std::vector<WriteRequest> requests = {};  // at least one; on different items of the whole batch
};

// A batch of writes.
struct BatchWriteItemInput {
  std::vector<WriteRequests> requests = {};  // with 1 to 25 writes together
  ReturnConsumedCapacity return_consumed_capacity = ReturnConsumedCapacity::kNone;
};

// The outcome of a batch that was written.
struct BatchWriteItemOutput {
  // Always empty: Dolmen writes a batch as a whole or fails it as a whole.  A program that may also
  // run against DynamoDB should send these again.
  std::vector<WriteRequests> unprocessed_items = {};
  std::vector<ConsumedCapacity> consumed_capacity = {};  // one for each table, if asked for
};

}  // namespace dolmen
