// Descriptions of requests for people, in the notation of DynamoDB's parameters
// (RequestTrace::request). They are not meant to be parsed.

#pragma once

#include <span>
#include <string>
#include <vector>

#include "dolmen/batch.h"
#include "dolmen/entity/write_planner.h"
#include "dolmen/query.h"
#include "dolmen/scan.h"

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

// The details of requests (RequestTrace::details): what a write stores or changes and its condition,
// the filter and the projection of a read, the keys of a batch, and the writes of a transaction.
using Details = std::vector<std::string>;
Details DescribeDetails(const PlannedWrite& write);
Details DescribeDetails(const std::vector<PlannedWrite>& writes);
Details DescribeDetails(const FilterExpression& filter, const ProjectionExpression& projection);
Details DescribeDetails(std::span<const Item> keys);
Details DescribeDetails(std::span<const WriteRequest> requests);

// Returns the whole item of a put, and the primary key of any other action. Borrowed from
// `action`.
const Item& KeyOrItemOf(const Action& action);

// Returns DynamoDB's name of the operation: "PutItem", "UpdateItem", "DeleteItem",
// "ConditionCheck".
const char* OperationNameOf(const Action& action);

}  // namespace dolmen::entity
