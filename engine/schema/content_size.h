// The content of a table: numbers of items and bytes of the table, its indexes and its partitions.

#pragma once

#include <cstdint>

#include "dolmen/attribute_value.h"
#include "dolmen/result.h"
#include "dolmen/tables.h"
#include "engine/schema/content_estimate.h"
#include "engine/schema/table_schema.h"
#include "engine/storage/store.h"

namespace dolmen::engine {

// Sets the content of the table and of each index in `description`, which describes `table`.  Rows
// are counted up to the limits.  The table and the indexes share what remains of the limits
// equally.  Rows beyond a share, and rows that cannot be read, are estimated.
void DescribeContent(const Store& store, const TableSchema& table, const CountLimits& limits,
                     TableDescription* description);

// Contract: Table::ItemCollectionSize.
Result<std::uint64_t> ItemCollectionSize(const Store& store, const TableSchema& table,
                                         const AttributeValue& partition);

}  // namespace dolmen::engine
