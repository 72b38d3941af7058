// ExclusiveStartKey and LastEvaluatedKey: where a page begins and ends.

#pragma once

#include "dolmen/attribute_value.h"
#include "dolmen/item_view.h"
#include "dolmen/result.h"
#include "engine/read/read_plan.h"

namespace dolmen::engine {

// kValidation: a value is none that an item may have.
Status CheckStartKey(const Item& start);

// Cuts off the part of the plan's ranges up to the start key, in the direction of the plan; the
// item under it need not exist.  An empty one changes nothing. kValidation: it is not a key of what
// is read, or lies outside the ranges or the segment.  REQUIRES: CheckStartKey(start) is ok
Status ApplyStartKey(const Item& start, ReadPlan* plan);

// The key of an item that was read under the plan: its table key and, for an index, its index key.
Result<Item> EvaluatedKey(const ReadPlan& plan, const ItemView& item);

}  // namespace dolmen::engine
