// Items as a table for people, or as lines of JSON for programs.

#pragma once

#include <string>
#include <vector>

#include "command/text.h"
#include "dolmen/describe_table.h"
#include "dolmen/item_view.h"

namespace dolmen::command {

// Returns the attributes with a column of their own: the keys of the index, if `index` is not empty,
// and the keys of the table.
std::vector<std::string> KeyColumns(const TableDescription& table, const std::string& index);

// A printer of items.
class ItemPrinter {
 public:
  // A table has the columns `columns`, and a last column for all other attributes. Without columns,
  // the table has no header. With `json`, an item is a line in the format of DynamoDB's exports.
  ItemPrinter(std::vector<std::string> columns, bool json);

  void Add(const ItemView& item);

  // Returns the lines of the items that were added since the last call. The first call determines
  // the widths of the columns, and returns the header of the table too. Returns no header without
  // items.
  std::string Take();

 private:
  std::vector<std::string> Row(const ItemView& item) const;

  const bool json_;
  const std::vector<std::string> columns_;
  TextTable rows_;
  std::string lines_;
  bool is_empty_ = true;
};

}  // namespace dolmen::command
