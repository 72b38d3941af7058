// BatchWriteItem: puts and deletes of many items.

#pragma once

#include <span>

#include "dolmen/batch.h"
#include "dolmen/result.h"
#include "engine/schema/live_table.h"
#include "engine/write/atomic_write.h"

namespace dolmen::engine {

// Contract: Database::BatchWriteItem.  `tables` are the tables that the parts of the request name, one for
// each part, in the order of the parts.
Result<BatchWriteItemOutput> BatchWriteItem(const WriteContext& context,
                                            const BatchWriteItemInput& input,
                                            std::span<LiveTable* const> tables);

}  // namespace dolmen::engine
