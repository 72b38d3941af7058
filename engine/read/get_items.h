// BatchGetItem and TransactGetItems: reads of many items by their keys.

#pragma once

#include <span>

#include "dolmen/batch.h"
#include "dolmen/result.h"
#include "dolmen/transact.h"
#include "engine/read/read_context.h"
#include "engine/schema/table_schema.h"

namespace dolmen::engine {

// Contracts: Database::BatchGetItem and Database::TransactGetItems.  `schemas` are the schemas of the
// tables that the parts of the request name, one for each part, in the order of the parts.
Result<BatchGetItemOutput> BatchGetItem(const ReadContext& context, const BatchGetItemInput& input,
                                        std::span<const TableSchema* const> schemas);
Result<TransactGetItemsOutput> TransactGetItems(const ReadContext& context,
                                                const TransactGetItemsInput& input,
                                                std::span<const TableSchema* const> schemas);

}  // namespace dolmen::engine
