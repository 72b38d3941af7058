// Query: one page of the items of one or several partitions.

#pragma once

#include "dolmen/query.h"
#include "dolmen/result.h"
#include "engine/read/read_context.h"
#include "engine/read/read_plan.h"
#include "engine/schema/table_schema.h"

namespace dolmen::engine {

// Checks everything in the request that does not depend on the table.
// - kValidation, with DynamoDB's message: the request would be invalid for every table.
Status ValidateQuery(const QueryInput& input);

// Returns RocksDB's estimate of the bytes that the ranges of the request take (Store). Reads no item.
// Errors: those of Query before it reads.
Result<std::uint64_t> ApproximateBytes(const ReadContext& context, const TableSchema& table,
                                       const QueryInput& input);

// Contract: Table::Query. After an error the content of `page` is unspecified. `order` is the order of a
// simulation, which is the same for all pages; null: the order of the keys.
Status Query(const ReadContext& context, const TableSchema& table, const QueryInput& input,
             QueryOutput* page, const ReadOrder* order = nullptr);

}  // namespace dolmen::engine
