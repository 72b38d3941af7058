// The content of a table, its indexes and its partitions: the numbers of items and of bytes.

#pragma once

#include <cstdint>

#include "dolmen/attribute_value.h"
#include "dolmen/describe_table.h"
#include "dolmen/result.h"
#include "engine/schema/content_estimate.h"
#include "engine/schema/table_schema.h"
#include "engine/storage/store.h"

namespace dolmen::engine {

// Sets the content of the table and of each index in `description`, which describes `table`. Counts
// the table first and then each index. Divides the limits that earlier counts have left equally
// among the remaining counts. Estimates the rows that are beyond the share or cannot be read.
void DescribeContent(const Store& store, const TableSchema& table, const CountLimits& limits,
                     TableDescription* description);

// Contract: Table::ItemCollectionSize.
Result<std::uint64_t> ItemCollectionSize(const Store& store, const TableSchema& table,
                                         const AttributeValue& partition);

}  // namespace dolmen::engine
