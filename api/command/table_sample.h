// A sample of a table's items that has items of many kinds.

#pragma once

#include <cstdint>
#include <vector>

#include "dolmen/describe_table.h"
#include "dolmen/table.h"

namespace dolmen::command {

struct TableSample {
  std::vector<Item> items = {};
  bool is_whole = true;  // false if the table has more items
};

// Reads at most `items_max` items of at most 64 MB together, and at least one item if the table has
// any. Keys such as ORDER#1 and ORDER#2 begin with the same word. If the table has more items, an
// eighth of `items_max` is read of each word, so that one frequent word does not hide the others.
// - kCorruption, kStorage: an item cannot be read.
Result<TableSample> ReadSample(const Table& table, const TableDescription& description,
                               std::uint64_t items_max);

}  // namespace dolmen::command
