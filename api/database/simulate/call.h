// One call of an operation, as the rules of a simulation see it.

#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "dolmen/batch.h"
#include "dolmen/query.h"
#include "dolmen/result.h"
#include "dolmen/scan.h"
#include "dolmen/table_ref.h"
#include "dolmen/testing/simulate_trace.h"
#include "dolmen/transaction.h"

namespace dolmen::database {

// An item of a call, or the partition that a Query reads.
struct CallItem {
  std::string table;
  std::string key;  // the partition key as a text; empty if it is unknown or of a wrong type
  // Borrowed from the request. Null in a Query or a Scan.
  const TableRef* ref = nullptr;
  const AttributeValue* partition = nullptr;  // null, too, if the item lacks its partition key
  bool puts = false;                          // the call puts or updates the item
};

// A call. A batch or a transaction has an element in `items` for each of its items, in the order of
// the request. Any other call has one element.
struct Call {
  SimulatedOperation operation;
  std::string index = {};
  // The global index whose capacity a read takes. Empty: the read takes that of the table.
  std::string charged_index = {};
  std::vector<CallItem> items = {};
  bool has_token = false;
};

// Returns true for an operation that reads items.
bool IsRead(SimulatedOperation operation);

// Returns the reason for throttling an operation on a table or on an index. `limit` is the last part
// of the reason, for example "ProvisionedThroughputExceeded".
ThrottlingReason ReasonOf(SimulatedOperation operation, std::string_view limit, std::string table,
                          std::string index);

// Return the description of a call. `item` is the item or the key of the request.
// REQUIRES: the tables belong to an Engine, or to a SimulatedBackend in front of it.
Call CallOf(SimulatedOperation operation, const TableRef& table, const Item& item);
Call CallOf(const TableRef& table, const QueryInput& input);
Call CallOf(const TableRef& table, const ScanInput& input);
Call CallOf(const BatchGetItemInput& input);
Call CallOf(const BatchWriteItemInput& input);
Call CallOf(const TransactGetItemsInput& input);
Call CallOf(const TransactWriteItemsInput& input);

}  // namespace dolmen::database
