// BatchGetItem and TransactGetItems: reads of many items by their keys.

#pragma once

#include <span>

#include "dolmen/batch.h"
#include "dolmen/result.h"
#include "dolmen/transaction.h"
#include "engine/read/read_context.h"
#include "engine/schema/table_schema.h"

namespace dolmen::engine {

// Contract: Database::BatchGetItem. `schemas[i]` is the schema of the table of `input.requests[i]`.
Result<BatchGetItemOutput> BatchGetItem(const ReadContext& context, const BatchGetItemInput& input,
                                        std::span<const TableSchema* const> schemas);
// Contract: Database::TransactGetItems. `schemas[i]` is the schema of the table of
// `input.items[i]`.
Result<TransactGetItemsOutput> TransactGetItems(const ReadContext& context,
                                                const TransactGetItemsInput& input,
                                                std::span<const TableSchema* const> schemas);

}  // namespace dolmen::engine
