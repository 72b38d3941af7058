#include "wire/model_tables.h"

#include <cstddef>
#include <utility>

#include "engine/base/status_macros.h"
#include "wire/attribute_json.h"

namespace dolmen::wire {
namespace {

// Creates the table and stores its items. Adds the name of a created table to `created`.
// - kValidation: the table or an item is rejected.
Status LoadTable(const Database& database, const ModelTable& model,
                 std::vector<std::string>* created) {
  DOLMEN_ASSIGN_OR_RETURN(const Table& table, database.CreateTable(model.input));
  created->push_back(model.input.name);
  if (!model.time_to_live.empty()) {
    DOLMEN_RETURN_IF_ERROR(
        database
            .UpdateTimeToLive({.table_name = model.input.name,
                               .specification = {.attribute_name = model.time_to_live}})
            .status());
  }
  for (std::size_t i = 0; i < model.items.size(); ++i) {
    const Status put = table.PutItem({.item = model.items[i]}).status();
    if (put.code() != StatusCode::kValidation) {
      DOLMEN_RETURN_IF_ERROR(put);
      continue;
    }
    return Status::Validation("item " + std::to_string(i + 1) + " of the table " +
                              model.input.name + " is rejected: " + put.message());
  }
  return {};
}

}  // namespace

std::vector<Json> Elements(const JsonObject& object, std::string_view name) {
  const auto member = Member(object, name);
  if (!member) return {};
  const JsonArray array = ArrayOf(*member);
  return {array.begin(), array.end()};
}

Status ReadItems(const JsonObject& owner, std::string_view name, std::vector<Item>* items) {
  for (const Json& json : Elements(owner, name)) {
    Result<Item> item = ReadItem(json);
    if (!item.ok()) {
      return Status::Validation("item " + std::to_string(items->size() + 1) + ": " +
                                item.status().message());
    }
    items->push_back(*std::move(item));
  }
  return {};
}

Status LoadTables(const Database& database, const std::vector<ModelTable>& tables) {
  std::vector<std::string> created;
  Status loaded;
  for (const ModelTable& table : tables) {
    loaded = LoadTable(database, table, &created);
    if (!loaded.ok()) break;
  }
  if (loaded.ok()) return loaded;
  for (const std::string& name : created) {
    if (Status deleted = database.DeleteTable(name); !deleted.ok()) return deleted;
  }
  return loaded;
}

}  // namespace dolmen::wire
