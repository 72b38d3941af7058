// How much there is: of a table, of its indexes, of one partition.

#pragma once

#include <cstddef>
#include <cstdint>

#include "dolmen/attribute_value.h"
#include "dolmen/result.h"
#include "dolmen/tables.h"
#include "engine/storage/store.h"
#include "engine/table/table_schema.h"

namespace dolmen::engine {

// What is read to count, of a table and its indexes together.
struct CountLimits {
  std::size_t rows = 100'000;
  std::size_t bytes = std::size_t{32} << 20;
};

// Fills in the content of the table and of each of its indexes: counted as far as the limits go, of
// which each has an equal share of what is left, and from there on estimated.
Status DescribeContent(const Store& store, const TableSchema& table, const CountLimits& limits,
                       TableDescription* description);

// Contract: Table::ItemCollectionSize.
Result<std::uint64_t> ItemCollectionSize(const Store& store, const TableSchema& table,
                                         const AttributeValue& partition);

}  // namespace dolmen::engine
