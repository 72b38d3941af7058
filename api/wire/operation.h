// DynamoDB's operations, by name.

#pragma once

#include <string_view>

#include "dolmen/database.h"
#include "dolmen/status.h"
#include "wire/json.h"
#include "wire/json_writer.h"
#include "wire/shape.h"

namespace dolmen::wire {

// The objects that operations work on.
struct Context {
  const Database& database;
};

// An operation: its name, the shape of its request, and the function that runs it.
struct Operation {
  std::string_view name;
  const Shape* input = nullptr;  // the shape of the request: a structure

  // Runs the operation. The types and constraints of `request` have been checked against `input`.
  // Writes the whole response, which may be empty. The caller discards what it wrote if it fails.
  Status (*run)(const Context& context, const JsonObject& request, JsonWriter* response) = nullptr;
};

// Returns null if there is no operation of that name.
const Operation* FindOperation(std::string_view name);

// In item_operations.cc, query_operations.cc, batch_operations.cc, transact_operations.cc.
extern const Operation kGetItem;
extern const Operation kPutItem;
extern const Operation kUpdateItem;
extern const Operation kDeleteItem;
extern const Operation kQuery;
extern const Operation kScan;
extern const Operation kBatchGetItem;
extern const Operation kBatchWriteItem;
extern const Operation kTransactGetItems;
extern const Operation kTransactWriteItems;

// In table_operations.cc, tag_operations.cc, time_to_live_operations.cc, account_operations.cc.
extern const Operation kCreateTable;
extern const Operation kDescribeTable;
extern const Operation kListTables;
extern const Operation kUpdateTable;
extern const Operation kDeleteTable;
extern const Operation kTagResource;
extern const Operation kUntagResource;
extern const Operation kListTagsOfResource;
extern const Operation kUpdateTimeToLive;
extern const Operation kDescribeTimeToLive;
extern const Operation kDescribeLimits;
extern const Operation kDescribeEndpoints;

// In stream_operations.cc.
extern const Operation kListStreams;
extern const Operation kDescribeStream;
extern const Operation kGetShardIterator;
extern const Operation kGetRecords;

}  // namespace dolmen::wire
