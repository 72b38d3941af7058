// Batches: reads and writes of many items of any tables of a database in one request.
//
//   const auto read = db.BatchGetItem({.requests = {{.table = app, .keys = {key1, key2}}}});
//   const auto written = db.BatchWriteItem(
//       {.requests = {{.table = app, .requests = {PutRequest{item}, DeleteRequest{old_key}}}}});
//
// A batch has no conditions and no updates. A program that needs conditions or updates uses a
// transaction (transaction.h). Dolmen does all writes of a batch or none, but DynamoDB may do only some
// of them. A program that also runs against DynamoDB and needs all writes or none uses a transaction.
// https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_BatchGetItem.html
// https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_BatchWriteItem.html

#pragma once

#include "dolmen/internal/hide_macros.h"

#include <variant>
#include <vector>

#include "dolmen/consumed_capacity.h"
#include "dolmen/item_view.h"
#include "dolmen/operations.h"
#include "dolmen/table_ref.h"

namespace dolmen {

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

}  // namespace dolmen

#include "dolmen/internal/show_macros.h"
