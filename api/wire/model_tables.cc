#include "wire/model_tables.h"

#include <simdjson.h>

#include <algorithm>
#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <utility>

#include "dolmen/design/workbench.h"
#include "engine/base/status_macros.h"
#include "wire/attribute_json.h"
#include "wire/constraints.h"
#include "wire/json.h"
#include "wire/json_writer.h"
#include "wire/shape.h"
#include "wire/table_requests.h"
#include "wire/untyped_json.h"

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
    Result<Item> item = ReadNamedItem(json);
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

namespace {

// The names and types of key attributes, as a request of CreateTable defines them.
using Definitions = std::map<std::string_view, std::string_view>;

// Writes the KeySchema for the KeyAttributes of a table or an index. Adds the attributes to
// `definitions`.
void WriteSchema(const JsonObject& structure, Definitions* definitions, JsonWriter* request) {
  const auto keys = Member(structure, "KeyAttributes");
  request->Key("KeySchema");
  request->BeginArray();
  for (const auto& [member, type] : {std::pair("PartitionKey", "HASH"), {"SortKey", "RANGE"}}) {
    const auto key = keys ? Member(ObjectOf(*keys), member) : std::nullopt;
    if (!key) continue;
    const std::string_view name = StringMember(ObjectOf(*key), "AttributeName");
    definitions->emplace(name, StringMember(ObjectOf(*key), "AttributeType"));
    request->BeginObject();
    request->StringField("AttributeName", name);
    request->StringField("KeyType", type);
    request->EndObject();
  }
  request->EndArray();
}

void WriteIndexes(const JsonObject& table, Definitions* definitions, JsonWriter* request) {
  const std::vector<Json> indexes = Elements(table, "GlobalSecondaryIndexes");
  if (indexes.empty()) return;
  request->Key("GlobalSecondaryIndexes");
  request->BeginArray();
  for (const Json& json : indexes) {
    const JsonObject index = ObjectOf(json);
    request->BeginObject();
    request->StringField("IndexName", StringMember(index, "IndexName"));
    WriteSchema(index, definitions, request);
    request->Key("Projection");
    const auto projection = Member(index, "Projection");
    request->Raw(projection ? simdjson::minify(*projection) : R"({"ProjectionType":"ALL"})");
    request->EndObject();
  }
  request->EndArray();
}

// Returns the request of CreateTable for a table of the model.
std::string CreateRequest(const JsonObject& table) {
  std::string request;
  JsonWriter json(&request);
  Definitions definitions;
  json.BeginObject();
  json.StringField("TableName", StringMember(table, "TableName"));
  json.StringField("BillingMode", "PAY_PER_REQUEST");
  WriteSchema(table, &definitions, &json);
  WriteIndexes(table, &definitions, &json);
  json.Key("AttributeDefinitions");
  json.BeginArray();
  for (const auto& [name, type] : definitions) {
    json.BeginObject();
    json.StringField("AttributeName", name);
    json.StringField("AttributeType", type);
    json.EndObject();
  }
  json.EndArray();
  json.EndObject();
  return request;
}

// Returns true if an object within the value may be a typed value: its only member has the name of a type.
bool HasTypedValue(const Json& json) {
  if (json.is_array()) {
    const JsonArray array = ArrayOf(json);
    return std::any_of(array.begin(), array.end(), HasTypedValue);
  }
  if (!json.is_object()) return false;
  const JsonEntries members = EntriesOf(ObjectOf(json));
  return (members.size() == 1 && IsTypeName(members[0].first)) ||
         std::ranges::any_of(members,
                             [](const auto& member) { return HasTypedValue(member.second); });
}

// Reads the content of a map or a list of a sample as its author typed it, because NoSQL Workbench stores
// this text: the content with types as in a request is read before, so here it is the whole value with its
// type again, {"M": {"M": {...}}}, or JSON without any type. Returns false for other content.
Result<bool> ReadTypedIn(const JsonObject& sample, const UntypedJson& json, AttributeValue* value) {
  if (sample.size() != 1) return false;
  const auto [type, content] = *sample.begin();
  const bool is_map = type == "M" && content.is_object();
  if (!is_map && !(type == "L" && content.is_array())) return false;
  if (is_map && ObjectOf(content).size() == 1 && Member(ObjectOf(content), type) &&
      Check(kAttributeValueShape, content).type.empty()) {
    return ReadValue(content, value).ok();
  }
  if (HasTypedValue(content)) return false;
  DOLMEN_ASSIGN_OR_RETURN(*value, json.ValueOf(content));
  return true;
}

// Reads an attribute of a sample item.
// - kValidation: the value is invalid. The message does not print its JSON, in which `json` has replaced the numbers.
Status ReadSample(const Json& sample, const UntypedJson& json, AttributeValue* value) {
  const Faults faults = Check(kAttributeValueShape, sample);
  Status read = faults.type.empty() ? ReadValue(sample, value) : Status::Validation(faults.type);
  if (read.ok()) return read;
  const Result<bool> typed_in = ReadTypedIn(ObjectOf(sample), json, value);
  if (!typed_in.ok()) return typed_in.status();
  return *typed_in ? Status() : read;
}

// Adds the sample items of a table or a facet to `items`. `where` names the facet for messages.
Status ReadSamples(const JsonObject& owner, const std::string& where, const UntypedJson& json,
                   std::vector<Item>* items) {
  std::size_t number = 0;
  for (const Json& sample : Elements(owner, "TableData")) {
    ++number;
    Item item;
    for (const auto& [name, content] : EntriesOf(ObjectOf(sample))) {
      if (content.is_null()) continue;
      AttributeValue value;
      const Status read = ReadSample(content, json, &value);
      if (!read.ok()) {
        return Status::Validation(where + "item " + std::to_string(number) + ": the attribute " +
                                  std::string(name) + ": " + read.message());
      }
      item.insert_or_assign(std::string(name), std::move(value));
    }
    items->push_back(std::move(item));
  }
  return {};
}

Result<ModelTable> ReadTable(const JsonObject& table, const UntypedJson& json) {
  ModelTable read;
  DOLMEN_ASSIGN_OR_RETURN(read.input, ParseCreateTable(CreateRequest(table)));
  DOLMEN_RETURN_IF_ERROR(ReadSamples(table, "", json, &read.items));
  for (const Json& facet : Elements(table, "TableFacets")) {
    const std::string_view name = StringMember(ObjectOf(facet), "FacetName");
    DOLMEN_RETURN_IF_ERROR(
        ReadSamples(ObjectOf(facet), "the facet " + std::string(name) + ": ", json, &read.items));
  }
  return read;
}

}  // namespace

Result<std::vector<ModelTable>> ReadDataModel(std::string_view json) {
  UntypedJson parser;
  DOLMEN_ASSIGN_OR_RETURN(const Json model, parser.Parse(json, "the data model"));
  std::vector<ModelTable> tables;
  for (const Json& table : Elements(ObjectOf(model), "DataModel")) {
    Result<ModelTable> read = ReadTable(ObjectOf(table), parser);
    if (!read.ok()) {
      return Status::Validation("the table " +
                                std::string(StringMember(ObjectOf(table), "TableName")) +
                                " of the data model is rejected: " + read.status().message());
    }
    tables.push_back(*std::move(read));
  }
  if (tables.empty()) return Status::Validation("the data model has no tables in its DataModel");
  return tables;
}

}  // namespace dolmen::wire

namespace dolmen {

Status LoadDataModel(const Database& database, std::string_view json) {
  DOLMEN_ASSIGN_OR_RETURN(const std::vector<wire::ModelTable>& tables, wire::ReadDataModel(json));
  return wire::LoadTables(database, tables);
}

}  // namespace dolmen
