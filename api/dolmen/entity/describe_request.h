// Requests in words for people, in the manner of DynamoDB's parameters.

#pragma once

#include <string>
#include <vector>

#include "dolmen/entity/write_planner.h"
#include "dolmen/query.h"

namespace dolmen::entity {

std::string DescribeItemKey(const Item& key);  // PK = "USER#1", SK = "PROFILE"
std::string DescribeQuery(const QueryInput& input, const KeySpec& key);
std::string DescribeWriteKey(const PlannedWrite& write);  // its key alone
std::string DescribeWrites(const std::vector<PlannedWrite>& writes);
// The primary key, and for a put all else.
const Item& KeyOrItemOf(const Action& action);
const char* OperationNameOf(const Action& action);  // "PutItem"

}  // namespace dolmen::entity
