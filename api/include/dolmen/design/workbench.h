// Data models in the JSON format of NoSQL Workbench, Amazon's editor for designs of DynamoDB tables. A
// model has tables with their keys, indexes and sample items.
//
//   const auto json = WriteDataModel(Describe<Conversation, Message>("chat"), items, {.name = "Chat"});
//   if (json.ok()) std::ofstream("chat.json") << *json;
//
//   Status loaded = LoadDataModel(*database, json_of_a_model);
//
// Like dolmen/wire.h it belongs to a library of its own: link dolmen::wire. The functions are
// thread-safe.
// https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/workbench.html

#pragma once

#include "dolmen/internal/hide_macros.h"

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "dolmen/clock.h"
#include "dolmen/database.h"

namespace dolmen {

class TableDesign;

// The texts of a model, and its size.
struct DataModelOptions {
  std::string name = "Dolmen";  // the name that NoSQL Workbench shows
  std::string author = {};
  std::string description = {};
  Timestamp created_at = {};  // the time that the model shows as that of its creation

  // The maximum number of sample items of each table.
  std::uint32_t items_max = 1000;
};

// Returns a data model of stored tables with their first items. The model leaves out streams and time
// to live, which the format cannot express.
// - kResourceNotFound: a table does not exist.
// - kValidation: a table has a local index, or an index has several partition keys or sort keys. The
//   format cannot express them.
// - Errors of Table::Scan.
Result<std::string> WriteDataModel(const Database& database, const std::vector<std::string>& tables,
                                   const DataModelOptions& options = {});

// Returns a data model of a design (entity/describe.h) with sample items. Each entity becomes a facet:
// a named view of the table with the templates of the entity's keys.
// - kValidation: an item does not fit into the table.
Result<std::string> WriteDataModel(const TableDesign& design, std::span<const Item> items,
                                   const DataModelOptions& options = {});

// Creates the tables of a data model and stores their sample items. Reads the items of a table and of
// its facets. Ignores the capacity of the tables. After an error the database has none of the tables
// that the call created.
// - kValidation: the text is no data model, or DynamoDB's rules reject a table or an item. The message
//   names the table.
// - kResourceInUse: a table of the model exists in the database.
Status LoadDataModel(const Database& database, std::string_view json);

}  // namespace dolmen

#include "dolmen/internal/show_macros.h"
