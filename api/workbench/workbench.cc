#include "dolmen/design/workbench.h"

#include <array>
#include <chrono>
#include <cstdio>
#include <map>
#include <set>
#include <utility>

#include "dolmen/entity/describe.h"
#include "engine/base/status_macros.h"
#include "entity/design_tables.h"
#include "wire/json_writer.h"
#include "wire/table_description.h"

namespace dolmen {
namespace {

using wire::JsonWriter;

// Returns the time as NoSQL Workbench writes it: "Apr 15, 2026, 10:30 AM".
std::string DateText(Timestamp time) {
  constexpr std::array<const char*, 12> kMonths = {"Jan", "Feb", "Mar", "Apr", "May", "Jun",
                                                   "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"};
  const auto day = std::chrono::floor<std::chrono::days>(time);
  const std::chrono::year_month_day date(day);
  const auto minutes = std::chrono::duration_cast<std::chrono::minutes>(time - day).count();
  const int hour = static_cast<int>(minutes / 60);
  std::array<char, 40> text{};
  std::snprintf(text.data(), text.size(), "%s %02u, %d, %02d:%02d %s",
                kMonths[static_cast<unsigned>(date.month()) - 1], static_cast<unsigned>(date.day()),
                static_cast<int>(date.year()), hour % 12 == 0 ? 12 : hour % 12,
                static_cast<int>(minutes % 60), hour < 12 ? "AM" : "PM");
  return text.data();
}

void WriteAttribute(std::string_view name, AttributeType type, JsonWriter* json) {
  json->BeginObject();
  json->StringField("AttributeName", name);
  json->StringField("AttributeType", AttributeTypeName(type));
  json->EndObject();
}

void WriteKeyAttributes(const KeyAttribute& partition, const KeyAttribute* sort, JsonWriter* json) {
  json->Key("KeyAttributes");
  json->BeginObject();
  json->Key("PartitionKey");
  WriteAttribute(partition.name, partition.type, json);
  if (sort != nullptr) {
    json->Key("SortKey");
    WriteAttribute(sort->name, sort->type, json);
  }
  json->EndObject();
}

Status CheckExpressible(const TableDescription& table) {
  const std::string reason = " of the table " + table.name + " does not fit into a data model: ";
  if (!table.local_secondary_indexes.empty()) {
    return Status::Validation("the index " + table.local_secondary_indexes[0].index.name + reason +
                              "a data model has no local indexes");
  }
  for (const auto& index : table.global_secondary_indexes) {
    if (index.index.partition_key.size() != 1 || index.index.sort_key.size() > 1) {
      return Status::Validation("the index " + index.index.name + reason +
                                "a key of a data model has one attribute");
    }
  }
  return {};
}

void WriteIndexes(const TableDescription& table, JsonWriter* json) {
  json->Key("GlobalSecondaryIndexes");
  json->BeginArray();
  for (const auto& [index, status, backfill, content] : table.global_secondary_indexes) {
    json->BeginObject();
    json->StringField("IndexName", index.name);
    WriteKeyAttributes(index.partition_key[0],
                       index.sort_key.empty() ? nullptr : index.sort_key.data(), json);
    wire::WriteProjection(index, json);
    json->EndObject();
  }
  json->EndArray();
}

// The sample items of a table, and the types of their attributes.
struct Sample {
  std::string items = "[";  // a JSON array
  std::map<std::string, AttributeType> types = {};
};

Result<Sample> ReadItems(const Table& table, std::uint32_t items_max) {
  Sample sample;
  std::uint32_t count = 0;
  ItemRange items = table.ScanAll({});
  for (const ItemView item : items) {
    if (count++ == items_max) break;
    if (count > 1) sample.items.push_back(',');
    JsonWriter(&sample.items).Attributes(item);
    for (const auto& [name, value] : item) sample.types.emplace(name, value.type());
  }
  DOLMEN_RETURN_IF_ERROR(items.status());
  sample.items.push_back(']');
  return sample;
}

void WriteNonKeyAttributes(const TableDescription& table, const Sample& sample, JsonWriter* json) {
  std::set<std::string> keys{table.partition_key.name};
  if (table.sort_key) keys.insert(table.sort_key->name);
  json->Key("NonKeyAttributes");
  json->BeginArray();
  for (const auto& [name, type] : sample.types) {
    if (!keys.contains(name)) WriteAttribute(name, type, json);
  }
  json->EndArray();
}

void WriteFacet(const entity::EntitySpec& entity, JsonWriter* json) {
  json->BeginObject();
  json->StringField("FacetName", entity.name);
  json->Key("KeyAttributeAlias");
  json->BeginObject();
  const entity::KeySpec& key = entity.primary();
  json->StringField("PartitionKeyAlias", entity::TemplateText(entity, key.partition));
  if (key.has_sort) json->StringField("SortKeyAlias", entity::TemplateText(entity, key.sort));
  json->EndObject();
  json->Key("TableData");
  json->BeginArray();
  json->EndArray();
  json->Key("NonKeyAttributes");
  json->BeginArray();
  json->String(entity.type_attribute);
  for (const entity::KeySpec& index : entity.keys.subspan(1)) {
    json->String(index.PartitionName());
    if (index.has_sort) json->String(index.SortName());
  }
  for (const entity::AttributeSpec& attribute : entity.attributes) {
    if (!attribute.in_key_only && attribute.rest == nullptr) json->String(attribute.name);
  }
  json->EndArray();
  json->Key("DataAccess");
  json->BeginObject();
  json->Key("MySql");
  json->BeginObject();
  json->EndObject();
  json->EndObject();
  json->EndObject();
}

// Adds the attributes of the entities that no sample item has. The value of the member's initialiser
// shows the type; an attribute that is absent then is a string.
void AddTypes(const TableDesign& design, Sample* sample) {
  for (const entity::EntitySpec* entity : design.entities()) {
    sample->types.emplace(entity->type_attribute, AttributeType::kS);
    for (const entity::KeySpec& index : entity->keys.subspan(1)) {
      sample->types.emplace(index.PartitionName(), AttributeType::kS);
      if (index.has_sort) sample->types.emplace(index.SortName(), AttributeType::kS);
    }
    const entity::OwnedStruct value(*entity);
    for (const entity::AttributeSpec& attribute : entity->attributes) {
      if (attribute.in_key_only || attribute.rest != nullptr) continue;
      AttributeValue encoded = "";
      if (attribute.is_present(value.get()) && !attribute.encode(value.get(), &encoded).ok()) {
        encoded = "";
      }
      sample->types.emplace(attribute.name, encoded.type());
    }
  }
}

// Writes a table of the model. `design` is null if the table has none.
Status WriteTable(const Database& database, const std::string& name, const TableDesign* design,
                  std::uint32_t items_max, JsonWriter* json) {
  DOLMEN_ASSIGN_OR_RETURN(const TableDescription& table,
                          database.DescribeTable(name, ContentSizes::kOmit));
  DOLMEN_RETURN_IF_ERROR(CheckExpressible(table));
  DOLMEN_ASSIGN_OR_RETURN(const Table& handle, database.OpenTable(name));
  DOLMEN_ASSIGN_OR_RETURN(Sample sample, ReadItems(handle, items_max));
  if (design != nullptr) AddTypes(*design, &sample);
  json->BeginObject();
  json->StringField("TableName", name);
  WriteKeyAttributes(table.partition_key, table.sort_key ? &*table.sort_key : nullptr, json);
  WriteNonKeyAttributes(table, sample, json);
  json->Key("TableFacets");
  json->BeginArray();
  if (design != nullptr) {
    for (const entity::EntitySpec* entity : design->entities()) WriteFacet(*entity, json);
  }
  json->EndArray();
  WriteIndexes(table, json);
  json->Key("TableData");
  json->Raw(sample.items);
  json->Key("DataAccess");
  json->Raw(R"({"MySql":{}})");
  json->StringField("BillingMode", "PAY_PER_REQUEST");
  json->EndObject();
  return {};
}

Result<std::string> WriteModel(const Database& database, const std::vector<std::string>& tables,
                               const TableDesign* design, const DataModelOptions& options) {
  std::string model;
  JsonWriter json(&model);
  json.BeginObject();
  json.StringField("ModelName", options.name);
  json.Key("ModelMetadata");
  json.BeginObject();
  json.StringField("Author", options.author);
  json.StringField("DateCreated", DateText(options.created_at));
  json.StringField("DateLastModified", DateText(options.created_at));
  json.StringField("Description", options.description);
  json.StringField("AWSService", "Amazon DynamoDB");
  json.StringField("Version", "3.0");
  json.EndObject();
  json.Key("DataModel");
  json.BeginArray();
  for (const std::string& table : tables) {
    DOLMEN_RETURN_IF_ERROR(WriteTable(database, table, design, options.items_max, &json));
  }
  json.EndArray();
  json.EndObject();
  return model;
}

}  // namespace

Result<std::string> WriteDataModel(const Database& database, const std::vector<std::string>& tables,
                                   const DataModelOptions& options) {
  return WriteModel(database, tables, nullptr, options);
}

Result<std::string> WriteDataModel(const TableDesign& design, std::span<const Item> items,
                                   const DataModelOptions& options) {
  // A table in memory applies all rules of DynamoDB to the design and to the items.
  DOLMEN_ASSIGN_OR_RETURN(const Database& database,
                          Database::InMemory({.expiry_lag = std::nullopt}));
  const TableDescription described = design.Table();
  CreateTableInput input = {.name = described.name,
                            .partition_key = described.partition_key,
                            .sort_key = described.sort_key};
  for (const auto& index : described.global_secondary_indexes) {
    input.global_secondary_indexes.push_back(index.index);
  }
  DOLMEN_ASSIGN_OR_RETURN(const Table& table, database.CreateTable(input));
  for (const Item& item : items) {
    DOLMEN_RETURN_IF_ERROR(table.PutItem({.item = item}).status());
  }
  return WriteModel(database, {design.name()}, &design, options);
}

}  // namespace dolmen
