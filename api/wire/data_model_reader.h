// The reader of data models of NoSQL Workbench (dolmen/design/workbench.h).

#pragma once

#include <string_view>
#include <vector>

#include "dolmen/result.h"
#include "wire/model_tables.h"

namespace dolmen::wire {

// Returns the tables of a data model, at least one.
// - kValidation: the text is no data model, or DynamoDB's rules reject a table or an item. The message
//   names the table.
Result<std::vector<ModelTable>> ReadDataModel(std::string_view json);

}  // namespace dolmen::wire
