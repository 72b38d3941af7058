#include "command/table_json.h"

#include <simdjson.h>

#include "dolmen/internal/status_macros.h"
#include "dolmen/wire.h"
#include "wire/json_writer.h"
#include "wire/names.h"

namespace dolmen::command {
namespace {

// Executes the operation with a request of one member. Returns the response's member `wanted`.
Result<std::string> Ask(const Database& database, const char* operation, const char* member,
                        const std::string& value, const char* wanted) {
  std::string request;
  wire::JsonWriter writer(&request);
  writer.BeginObject();
  writer.StringField(member, value);
  writer.EndObject();
  const EndpointResponse response = Endpoint(database).Execute(operation, request);
  simdjson::dom::parser parser;
  simdjson::dom::element found;
  if (parser.parse(response.body)[wanted].get(found) == simdjson::SUCCESS) {
    return simdjson::minify(found);
  }
  return Status::Storage("can't describe the table " + value + ": " + response.body);
}

}  // namespace

Result<std::string> TableJson(const Database& database, const std::string& name) {
  DOLMEN_ASSIGN_OR_RETURN(const TableDescription& described,
                          database.DescribeTable(name, ContentSizes::kOmit));
  const Result<TimeToLiveDescription> expiry = database.DescribeTimeToLive(name);
  if (!expiry.ok()) return expiry.status();
  DOLMEN_ASSIGN_OR_RETURN(std::string json,
                          Ask(database, "DescribeTable", "TableName", name, "Table"));
  DOLMEN_ASSIGN_OR_RETURN(
      const std::string& time_to_live,
      Ask(database, "DescribeTimeToLive", "TableName", name, "TimeToLiveDescription"));
  DOLMEN_ASSIGN_OR_RETURN(
      const std::string& tags,
      Ask(database, "ListTagsOfResource", "ResourceArn", wire::TableArn({}, name), "Tags"));
  json.pop_back();  // the closing brace
  json.append(R"(,"TimeToLiveDescription":)").append(time_to_live);
  json.append(R"(,"Tags":)").append(tags).append(R"(,"Dolmen":)");
  wire::JsonWriter writer(&json);
  writer.BeginObject();
  writer.BooleanField("HideExpired", expiry->hide_expired);
  if (described.stream_specification) {
    writer.IntegerField("StreamRetentionMilliseconds",
                        described.stream_specification->retention.count());
  }
  writer.EndObject();
  return json + "}";
}

}  // namespace dolmen::command
