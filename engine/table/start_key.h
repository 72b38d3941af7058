// ExclusiveStartKey and LastEvaluatedKey: where a page begins and ends.

#pragma once

#include <string_view>

#include "dolmen/query.h"
#include "dolmen/status.h"
#include "engine/table/query_plan.h"

namespace dolmen::engine {

// Cuts off the part of the plan's range up to the start key, in the direction of the query; the
// item under it need not exist. kValidation: it is not a key of what is queried, or lies outside
// the range.
Status ApplyStartKey(const QueryInput& input, std::string_view partition, QueryPlan* plan);

// The key of an item that was read under the plan: its table key and, for an index, its index key.
Result<Item> EvaluatedKey(const QueryPlan& plan, const ItemView& item);

}  // namespace dolmen::engine
