// BatchWriteItem and TransactWriteItems: several writes as one atomic write.

#pragma once

#include <span>

#include "dolmen/batch.h"
#include "dolmen/result.h"
#include "dolmen/transaction.h"
#include "engine/schema/live_table.h"
#include "engine/write/atomic_write.h"

namespace dolmen::engine {

// Contract: Database::TransactWriteItems. `tables[i]` is the table that action `i` names.
Result<TransactWriteItemsOutput> TransactWriteItems(const WriteContext& context,
                                                    const TransactWriteItemsInput& input,
                                                    std::span<LiveTable* const> tables);

// Contract: Database::BatchWriteItem. `tables[i]` is the table of `input.requests[i]`.
Result<BatchWriteItemOutput> BatchWriteItem(const WriteContext& context,
                                            const BatchWriteItemInput& input,
                                            std::span<LiveTable* const> tables);

}  // namespace dolmen::engine
