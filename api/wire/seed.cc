#include "dolmen/testing/seed.h"

#include <simdjson.h>

#include <string>
#include <utility>
#include <vector>

#include "dolmen/design/workbench.h"
#include "engine/base/status_macros.h"
#include "wire/json.h"
#include "wire/model_tables.h"
#include "wire/table_requests.h"

namespace dolmen {
namespace {

using wire::Json;
using wire::JsonObject;

Result<wire::ModelTable> ReadTable(const Json& json) {
  wire::ModelTable table;
  DOLMEN_ASSIGN_OR_RETURN(table.input, wire::CheckAndReadCreateTable(json));
  const JsonObject members = wire::ObjectOf(json);
  if (const auto expiry = wire::Member(members, "TimeToLiveSpecification")) {
    const JsonObject specification = wire::ObjectOf(*expiry);
    const std::string_view attribute = wire::StringMember(specification, "AttributeName");
    if (attribute.empty()) {
      return Status::Validation("TimeToLiveSpecification needs an AttributeName");
    }
    if (wire::BooleanMember(specification, "Enabled")) table.time_to_live = attribute;
  }
  const auto items = wire::Member(members, "Items");
  if (items && !items->is_array()) return Status::Validation("Items must be a list");
  DOLMEN_RETURN_IF_ERROR(wire::ReadItems(members, "Items", &table.items));
  return table;
}

}  // namespace

Status LoadSeed(const Database& database, std::string_view json) {
  simdjson::dom::parser parser;
  DOLMEN_ASSIGN_OR_RETURN(const Json seed, wire::ParseJson(json, "the seed", &parser));
  const JsonObject members = wire::ObjectOf(seed);
  if (wire::Member(members, "DataModel")) return LoadDataModel(database, json);
  std::vector<wire::ModelTable> tables;
  for (const Json& table : wire::Elements(members, "Tables")) {
    Result<wire::ModelTable> read = ReadTable(table);
    if (!read.ok()) {
      return Status::Validation(
          "the table " + std::string(wire::StringMember(wire::ObjectOf(table), "TableName")) +
          " of the seed is rejected: " + read.status().message());
    }
    tables.push_back(*std::move(read));
  }
  if (tables.empty()) {
    return Status::Validation(
        R"(the seed has no tables: give {"Tables": [{"TableName": ..., "Items": [...]}]})");
  }
  return wire::LoadTables(database, tables);
}

}  // namespace dolmen
