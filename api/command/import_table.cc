#include "command/import_table.h"

#include <simdjson.h>

#include <array>
#include <string_view>

#include "command/text.h"
#include "engine/base/status_macros.h"
#include "wire/extensions.h"
#include "wire/json.h"
#include "wire/json_writer.h"
#include "wire/table_requests.h"
#include "wire/tags.h"

namespace dolmen::command {
namespace {

using wire::Json;
using wire::JsonObject;

void CopyMember(const JsonObject& from, std::string_view name, wire::JsonWriter* to) {
  const auto member = wire::Member(from, name);
  if (!member) return;
  to->Key(name);
  to->Raw(simdjson::minify(*member));
}

// Copies the indexes, with only the members that CreateTable accepts. A response of DescribeTable
// describes an index with further members.
void CopyIndexes(const JsonObject& from, const char* name, wire::JsonWriter* to) {
  const auto indexes = wire::Member(from, name);
  if (!indexes || wire::ArrayOf(*indexes).size() == 0) return;
  to->Key(name);
  to->BeginArray();
  for (const Json index : wire::ArrayOf(*indexes)) {
    to->BeginObject();
    for (const char* member : {"IndexName", "KeySchema", "Projection"}) {
      CopyMember(wire::ObjectOf(index), member, to);
    }
    to->EndObject();
  }
  to->EndArray();
}

// Copies the tags, but those that AWS sets itself, and the one that stands for HideExpired.
void CopyTags(const JsonObject& from, wire::JsonWriter* to) {
  const auto tags = wire::Member(from, "Tags");
  if (!tags) return;
  to->Key("Tags");
  to->BeginArray();
  for (const Json tag : wire::ArrayOf(*tags)) {
    const std::string_view key = wire::StringMember(wire::ObjectOf(tag), "Key");
    if (key.starts_with("aws:") || key == wire::kHideExpiredTag) continue;
    to->Raw(simdjson::minify(tag));
  }
  to->EndArray();
}

std::string CreateRequest(const JsonObject& schema, const std::string& table) {
  std::string request;
  wire::JsonWriter json(&request);
  json.BeginObject();
  json.StringField("TableName", table);
  json.StringField("BillingMode", "PAY_PER_REQUEST");
  constexpr std::array<std::string_view, 5> kCopied = {
      "AttributeDefinitions", "KeySchema", "StreamSpecification", "DeletionProtectionEnabled",
      wire::kExtensions};
  for (const std::string_view member : kCopied) CopyMember(schema, member, &json);
  CopyTags(schema, &json);
  CopyIndexes(schema, "GlobalSecondaryIndexes", &json);
  CopyIndexes(schema, "LocalSecondaryIndexes", &json);
  json.EndObject();
  return request;
}

// Returns the time to live that the schema describes, or nothing.
std::optional<TimeToLiveSpecification> TimeToLiveIn(const JsonObject& schema) {
  const auto described = wire::Member(schema, "TimeToLiveDescription");
  if (!described) return std::nullopt;
  const JsonObject json = wire::ObjectOf(*described);
  if (!wire::StringMember(json, "TimeToLiveStatus").starts_with("ENABL")) return std::nullopt;
  return TimeToLiveSpecification{
      .attribute_name = std::string(wire::StringMember(json, "AttributeName")),
      .hide_expired =
          wire::ExtensionsOf<wire::TableExtensions>(schema).hide_expired.value_or(false)};
}

std::string NameOfSchema(const NewTable& table) { return "the schema in " + table.schema_file; }

Status RejectedSchema(const NewTable& table, const Status& why) {
  if (table.schema.empty() || why.code() != StatusCode::kValidation) return why;
  return Status::Validation(NameOfSchema(table) + " is rejected: " + why.message());
}

}  // namespace

Result<KeyAttribute> ParseKeyAttribute(const std::string& word) {
  const std::size_t colon = word.rfind(':');
  if (colon == word.npos) return KeyAttribute{.name = word};
  const std::string_view type = std::string_view(word).substr(colon + 1);
  for (const AttributeType known : {AttributeType::kS, AttributeType::kN, AttributeType::kB}) {
    if (type == AttributeTypeName(known)) {
      return KeyAttribute{.name = word.substr(0, colon), .type = known};
    }
  }
  return Status::Validation("the type of a key must be S, N or B, as in PK:S, not " +
                            Printable(type));
}

Result<NewTableRequests> RequestsFor(const NewTable& table) {
  if (table.schema.empty()) return NewTableRequests{.create = table.input};
  simdjson::dom::parser parser;
  const std::string name = NameOfSchema(table);
  DOLMEN_ASSIGN_OR_RETURN(Json schema, wire::ParseJson(table.schema, name, &parser));
  if (!schema.is_object()) return Status::Validation(name + " is not a JSON object");
  for (const char* around : {"Table", "TableDescription"}) {
    const auto inner = wire::Member(wire::ObjectOf(schema), around);
    if (inner && inner->is_object()) schema = *inner;
  }
  const JsonObject json = wire::ObjectOf(schema);
  Result<CreateTableInput> create = wire::ParseCreateTable(CreateRequest(json, table.input.name));
  if (!create.ok()) return RejectedSchema(table, create.status());
  NewTableRequests requests{.create = *std::move(create)};
  if (table.with_time_to_live) requests.time_to_live = TimeToLiveIn(json);
  return requests;
}

Status CreateNewTable(const Database& database, const NewTable& table) {
  DOLMEN_ASSIGN_OR_RETURN(const NewTableRequests requests, RequestsFor(table));
  Status created = database.CreateTable(requests.create).status();
  if (created.ok()) created = EnableTimeToLive(database, requests);
  return RejectedSchema(table, created);
}

Status EnableTimeToLive(const Database& database, const NewTableRequests& requests) {
  if (!requests.time_to_live) return {};
  return database
      .UpdateTimeToLive(
          {.table_name = requests.create.name, .specification = *requests.time_to_live})
      .status();
}

Result<Database> CreateInMemory(const NewTable& table) {
  DOLMEN_ASSIGN_OR_RETURN(Database database, Database::InMemory({.expiry_lag = std::nullopt}));
  DOLMEN_RETURN_IF_ERROR(CreateNewTable(database, table));
  return database;
}

Result<TableDescription> PreviewTable(const NewTable& table) {
  DOLMEN_ASSIGN_OR_RETURN(const Database& database, CreateInMemory(table));
  return database.DescribeTable(table.input.name);
}

}  // namespace dolmen::command
