// Tables with their items, as files define them: data models (dolmen/design/workbench.h) and seeds
// (dolmen/testing/seed.h).

#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "dolmen/create_table.h"
#include "dolmen/database.h"
#include "dolmen/result.h"
#include "wire/json.h"

namespace dolmen::wire {

// A table of a file, and its items.
struct ModelTable {
  CreateTableInput input = {};
  std::string time_to_live = {};  // the attribute of the time to live; empty: none
  std::vector<Item> items = {};
};

// Returns the elements of a member that is an array; no elements if the member is absent.
std::vector<Json> Elements(const JsonObject& object, std::string_view name);

// Adds the items in the member `name`, an array, to `items`.
// - kValidation: an item is rejected. The message has the number of the item and the name of the attribute.
Status ReadItems(const JsonObject& owner, std::string_view name, std::vector<Item>* items);

// Creates the tables and stores their items. After an error the database has none of the tables that
// the call created.
// - kValidation: a table or an item is rejected. The message names the table of the item.
// - kResourceInUse: one of the tables exists.
Status LoadTables(const Database& database, const std::vector<ModelTable>& tables);

// Returns the tables of a data model, at least one. A map or a list of a sample item may be JSON as its author
// typed it, without types or with the type of the whole value.
// - kValidation: the text is no data model, or DynamoDB's rules reject a table or an item. The message
//   names the table, the facet, the item and the attribute.
Result<std::vector<ModelTable>> ReadDataModel(std::string_view json);

}  // namespace dolmen::wire
