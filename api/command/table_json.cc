#include "command/table_json.h"

#include <simdjson.h>

#include "command/endpoint.h"
#include "engine/base/status_macros.h"
#include "wire/extensions.h"
#include "wire/json.h"
#include "wire/json_writer.h"
#include "wire/table_json.h"

namespace dolmen::command {
namespace {

Result<std::string> JsonMember(const std::string& json, const char* member) {
  simdjson::dom::parser parser;
  simdjson::dom::element found;
  if (parser.parse(json)[member].get(found) == simdjson::SUCCESS) return simdjson::minify(found);
  return Status::Storage(std::string("a response has no ") + member + ": " + json);
}

// Returns the text in a member, or an empty text.
std::string TextIn(const std::string& json, const char* member) {
  simdjson::dom::parser parser;
  std::string_view text;
  return parser.parse(json)[member].get(text) == simdjson::SUCCESS ? std::string(text)
                                                                   : std::string();
}

// Returns the response of DescribeTable.
Result<std::string> DescriptionJson(const Database& database, const std::string& table) {
  const std::string request = wire::ToJson(wire::TableRequest{.table_name = table});
  DOLMEN_ASSIGN_OR_RETURN(const std::string& response, Ask(database, "DescribeTable", request));
  return JsonMember(response, "Table");
}

// Returns the time to live of a table. A service without time to live has none.
Result<std::string> TimeToLiveJson(const Database& database, const std::string& table) {
  const std::string request = wire::ToJson(wire::TableRequest{.table_name = table});
  DOLMEN_ASSIGN_OR_RETURN(const std::string& response,
                          AskForDetails(database, "DescribeTimeToLive", request));
  if (response == "{}") return std::string(R"({"TimeToLiveStatus":"DISABLED"})");
  return JsonMember(response, "TimeToLiveDescription");
}

// Returns the tags of a table as a list of JSON. A service returns them in pages, or has no tags.
Result<std::string> TagsJson(const Database& database, const std::string& arn) {
  std::vector<wire::Tag> tags;
  wire::ListTagsInput input{.resource_arn = arn};
  do {
    DOLMEN_ASSIGN_OR_RETURN(const std::string& response,
                            AskForDetails(database, "ListTagsOfResource", wire::ToJson(input)));
    simdjson::dom::parser parser;
    DOLMEN_ASSIGN_OR_RETURN(const wire::Json json,
                            wire::ParseJson(response, "a response", &parser));
    wire::ListTagsOutput page;
    DOLMEN_RETURN_IF_ERROR(wire::Decode(wire::ObjectOf(json), &page));
    tags.insert(tags.end(), page.tags.begin(), page.tags.end());
    input.next_token = page.next_token;
  } while (!input.next_token.empty());
  std::string text;
  wire::JsonWriter writer(&text);
  wire::members::WriteFrom(tags, &writer);
  return text;
}

// Writes the members of a table but its extensions. REQUIRES: `table` is valid JSON.
Status WriteMembers(const std::string& table, wire::JsonWriter* json) {
  simdjson::dom::parser parser;
  wire::Json parsed;
  if (parser.parse(table).get(parsed) != simdjson::SUCCESS) return Status::InternalServerError();
  for (const simdjson::dom::key_value_pair member : wire::ObjectOf(parsed)) {
    if (member.key == wire::kExtensions) continue;
    json->Key(member.key);
    json->Raw(simdjson::minify(member.value));
  }
  return {};
}

}  // namespace

Result<std::string> TableJson(const Database& database, const std::string& name) {
  DOLMEN_ASSIGN_OR_RETURN(const TableDescription& described,
                          database.DescribeTable(name, ContentSizes::kOmit));
  DOLMEN_ASSIGN_OR_RETURN(const TimeToLiveDescription& expiry, TimeToLiveOf(database, name));
  DOLMEN_ASSIGN_OR_RETURN(const std::string& table, DescriptionJson(database, name));
  DOLMEN_ASSIGN_OR_RETURN(const std::string& time_to_live, TimeToLiveJson(database, name));
  DOLMEN_ASSIGN_OR_RETURN(const std::string& tags, TagsJson(database, TextIn(table, "TableArn")));
  std::string json;
  wire::JsonWriter writer(&json);
  writer.BeginObject();
  DOLMEN_RETURN_IF_ERROR(WriteMembers(table, &writer));
  writer.Key("TimeToLiveDescription");
  writer.Raw(time_to_live);
  writer.Key("Tags");
  writer.Raw(tags);
  wire::WriteTableExtensions(described.stream_specification, expiry.hide_expired, &writer);
  writer.EndObject();
  return json;
}

}  // namespace dolmen::command
