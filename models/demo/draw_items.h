// Drawings of a table as text: partitions, and below each partition its items.

#pragma once

#include <dolmen/describe_table.h>

#include <span>
#include <string>

namespace dolmen::demo {

// Draws the items in the table, and then in each global index whose key they have. Draws at most 24
// items of the table and 12 items of each index, in the order of their keys.
std::string DrawItems(const TableDescription& table, std::span<const Item> items);

}  // namespace dolmen::demo
