// Descriptions of requests for people, in the notation of DynamoDB's parameters
// (RequestTrace::request). They are not meant to be parsed.

#pragma once

#include <string>
#include <vector>

#include "dolmen/entity/write_planner.h"
#include "dolmen/query.h"

namespace dolmen::entity {

// Describes the attributes of a key: `PK = "USER#1", SK = "PROFILE"`.
std::string DescribeItemKey(const Item& key);

// Describes a query by its index, key condition and options; `key` is the queried key of the
// entity.
//
//   IndexName = GSI1, GSI1PK = "KIND#suite", GSI1SK BETWEEN "PRICE#000080" AND "PRICE#000090"
std::string DescribeQuery(const QueryInput& input, const KeySpec& key);

// Describes a scan by its index and options: `IndexName = GSI1, Segment = 2 of 8, Limit = 500`.
std::string DescribeScan(const ScanInput& input);

// Describes the primary key of the item that the request writes.
std::string DescribeWriteKey(const PlannedWrite& write);

// Describes the writes of a transaction: `Put PK = "A", SK = "B"; ConditionCheck PK = "C", SK =
// "D"`.
std::string DescribeWrites(const std::vector<PlannedWrite>& writes);

// Returns the whole item of a put, and the primary key of any other action. Borrowed from
// `action`.
const Item& KeyOrItemOf(const Action& action);

// Returns DynamoDB's name of the operation: "PutItem", "UpdateItem", "DeleteItem",
// "ConditionCheck".
const char* OperationNameOf(const Action& action);

}  // namespace dolmen::entity
