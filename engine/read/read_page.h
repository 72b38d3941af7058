// Reads of one page of a Query or Scan.

#pragma once

#include "dolmen/query.h"
#include "dolmen/result.h"
#include "engine/read/read_plan.h"
#include "engine/storage/store.h"

namespace dolmen::engine {

// Clears `page` and fills it with the items that the plan selects, in the plan's direction. The
// page ends with the item that reaches the plan's limit or 1 MB, or with the end of the plan's
// ranges. All items are from one snapshot. After an error the content of `page` is unspecified.
// - kCorruption: a stored item or an index entry is damaged.
// - kStorage: the files cannot be read.
Status ReadPage(const Store& store, const ReadPlan& plan, QueryOutput* page);

// Does the same in the order of a simulation. `start` is the start key of the request, which the plan
// contains. To find the order of entries with equal index keys, the read copies all of them to
// memory. To find the order of partitions, it passes over all of them. Does not use the row cache.
Status ReadPageInOrder(const Store& store, const Item& start, const ReadOrder& order,
                       ReadPlan* plan, QueryOutput* page);

}  // namespace dolmen::engine
