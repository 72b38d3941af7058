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

// Enables the time to live that the schema describes, if it does.
Status EnableTimeToLive(const Database& database, const std::string& table,
                        const JsonObject& schema) {
  const auto described = wire::Member(schema, "TimeToLiveDescription");
  if (!described) return {};
  const JsonObject json = wire::ObjectOf(*described);
  if (!wire::StringMember(json, "TimeToLiveStatus").starts_with("ENABL")) return {};
  return database
      .UpdateTimeToLive(
          {.table_name = table,
           .specification = {.attribute_name =
                                 std::string(wire::StringMember(json, "AttributeName")),
                             .hide_expired = wire::ExtensionsOf<wire::TableExtensions>(schema)
                                                 .hide_expired.value_or(false)}})
      .status();
}

Status CreateFromSchema(const Database& database, const std::string& table,
                        const JsonObject& schema, bool with_time_to_live) {
  DOLMEN_ASSIGN_OR_RETURN(const CreateTableInput& input,
                          wire::ParseCreateTable(CreateRequest(schema, table)));
  DOLMEN_RETURN_IF_ERROR(database.CreateTable(input).status());
  return with_time_to_live ? EnableTimeToLive(database, table, schema) : Status();
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

Status CreateNewTable(const Database& database, const NewTable& table) {
  if (table.schema.empty()) return database.CreateTable(table.input).status();
  simdjson::dom::parser parser;
  const std::string name = "the schema in " + table.schema_file;
  DOLMEN_ASSIGN_OR_RETURN(Json schema, wire::ParseJson(table.schema, name, &parser));
  if (!schema.is_object()) return Status::Validation(name + " is not a JSON object");
  for (const char* around : {"Table", "TableDescription"}) {
    const auto inner = wire::Member(wire::ObjectOf(schema), around);
    if (inner && inner->is_object()) schema = *inner;
  }
  const Status created =
      CreateFromSchema(database, table.input.name, wire::ObjectOf(schema), table.with_time_to_live);
  if (created.code() != StatusCode::kValidation) return created;
  return Status::Validation(name + " is rejected: " + created.message());
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
