// The arrangement of items in a picture: partitions in the order of their keys, in each partition the
// items in the order of theirs, for the table and for each index. A large table is reduced to a
// sample that shows each kind of partition and of item.

#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "dolmen/attribute_value.h"
#include "dolmen/describe_table.h"
#include "dolmen/design/picture.h"

namespace dolmen::picture {

// The kinds of the items, each with the number of its items. A kind is a position in the list.
struct Kind {
  std::string name = {};
  std::size_t item_count = 0;
};

// An item of a picture, and its kind.
struct Entry {
  const Item* item = nullptr;
  std::size_t kind = 0;
};

// A line of a partition: an entry, or the number of items that the picture leaves out at this place.
struct Line {
  Entry entry = {};  // no item: the line stands for hidden items
  std::string sort = {};
  std::size_t hidden_count = 0;
  std::vector<std::size_t> hidden_kinds = {};  // without duplicates
};

struct Partition {
  std::string key = {};
  std::size_t item_count = 0;
  std::vector<Line> lines = {};
};

// The table or one index.
struct Section {
  std::string index = {};  // "": the table
  std::vector<std::string> partition_names = {};
  std::vector<std::string> sort_names = {};                 // empty: no sort key
  std::optional<std::vector<std::string>> attributes = {};  // those of the index; nothing: all
  std::size_t item_count = 0;
  std::size_t partition_count = 0;
  std::vector<Partition> partitions = {};  // the shown ones
};

struct Arrangement {
  std::vector<Kind> kinds = {};
  std::vector<Section> sections = {};  // the table first
};

// Arranges the items. Leaves out an item without the table's partition key, and in an index the items
// without its key attributes. The arrangement points into `items`.
Arrangement Arrange(const TableDescription& table, std::span<const Item> items,
                    const PictureOptions& options);

}  // namespace dolmen::picture
