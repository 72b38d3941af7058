// Scan: one page of all items of a table, an index or a segment.

#pragma once

#include "dolmen/result.h"
#include "dolmen/scan.h"
#include "engine/read/read_context.h"
#include "engine/read/read_plan.h"
#include "engine/schema/table_schema.h"

namespace dolmen::engine {

// Checks everything in the request that does not depend on the table.
// - kValidation, with DynamoDB's message: the request would be invalid for every table.
Status ValidateScan(const ScanInput& input);

// Returns RocksDB's estimate of the bytes that the range of the request takes (Store). Reads no item.
// Errors: those of Scan before it reads.
Result<std::uint64_t> ApproximateBytes(const ReadContext& context, const TableSchema& table,
                                       const ScanInput& input);

// Contract: Table::Scan. After an error the content of `page` is unspecified. `order` is the order of a
// simulation, which is the same for all pages and segments; null: the order of the keys. In each order the
// items of one partition follow each other.
Status Scan(const ReadContext& context, const TableSchema& table, const ScanInput& input,
            ScanOutput* page, const ReadOrder* order = nullptr);

}  // namespace dolmen::engine
