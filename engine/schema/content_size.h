// How much there is: of a table, of its indexes, of one partition.

#pragma once

#include <cstdint>

#include "dolmen/attribute_value.h"
#include "dolmen/result.h"
#include "dolmen/tables.h"
#include "engine/schema/content_estimate.h"
#include "engine/schema/table_schema.h"
#include "engine/storage/store.h"

namespace dolmen::engine {

// Fills in the content of the table and of each of its indexes: counted as far as the limits go, of
// which each has an equal share of what is left, and from there on estimated.  What can't be read
// is estimated too.
void DescribeContent(const Store& store, const TableSchema& table, const CountLimits& limits,
                     TableDescription* description);

// Contract: Table::ItemCollectionSize.
Result<std::uint64_t> ItemCollectionSize(const Store& store, const TableSchema& table,
                                         const AttributeValue& partition);

}  // namespace dolmen::engine
