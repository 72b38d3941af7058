// The reader of data models of NoSQL Workbench (dolmen/workbench.h).

#pragma once

#include <string_view>
#include <vector>

#include "dolmen/create_table.h"
#include "dolmen/result.h"

namespace dolmen::wire {

// A table of a data model, and its sample items.
struct ModelTable {
  CreateTableInput input = {};
  std::vector<Item> items = {};
};

// Returns the tables of a data model, at least one.
// - kValidation: the text is no data model, or DynamoDB's rules reject a table or an item. The message
//   names the table.
Result<std::vector<ModelTable>> ReadDataModel(std::string_view json);

}  // namespace dolmen::wire
