// BatchWriteItem: puts and deletes of many items.

#pragma once

#include <span>

#include "dolmen/batch.h"
#include "dolmen/result.h"
#include "engine/schema/live_table.h"
#include "engine/write/atomic_write.h"

namespace dolmen::engine {

// Contract: Database::BatchWriteItem. `tables[i]` is the table of `input.requests[i]`.
Result<BatchWriteItemOutput> BatchWriteItem(const WriteContext& context,
                                            const BatchWriteItemInput& input,
                                            std::span<LiveTable* const> tables);

}  // namespace dolmen::engine
