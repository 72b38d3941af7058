#include "server/databases/request_log.h"

#include <simdjson.h>

#include <algorithm>
#include <utility>
#include <vector>

#include "wire/json.h"
#include "wire/json_writer.h"
#include "wire/names.h"
#include "wire/operation.h"

namespace dolmen::server {
namespace {

using wire::JsonObject;
using Names = std::vector<std::string_view>;

void AddName(std::string_view name_or_arn, Names* names) {
  const std::string_view name = wire::TableNameOf(name_or_arn);
  if (!name.empty() && std::ranges::count(*names, name) == 0) names->push_back(name);
}

// Returns the tables that a request names, each once, as views of the request.
Names TablesOf(const JsonObject& request) {
  Names names;
  AddName(wire::StringMember(request, "TableName"), &names);
  if (const auto tables = wire::Member(request, "RequestItems")) {
    for (const auto member : wire::ObjectOf(*tables)) AddName(member.key, &names);
  }
  if (const auto actions = wire::Member(request, "TransactItems")) {
    for (const wire::Json action : wire::ArrayOf(*actions)) {
      for (const auto member : wire::ObjectOf(action)) {
        AddName(wire::StringMember(wire::ObjectOf(member.value), "TableName"), &names);
      }
    }
  }
  return names;
}

void WriteRequest(std::string_view json, wire::JsonWriter* writer) {
  simdjson::dom::parser parser;
  JsonObject request;
  writer->Key("Tables");
  writer->BeginArray();
  if (parser.parse(json.data(), json.size()).get(request) == simdjson::SUCCESS) {
    for (const std::string_view name : TablesOf(request)) writer->String(name);
  }
  writer->EndArray();
}

void WriteResponse(const EndpointResponse& response, wire::JsonWriter* writer) {
  writer->IntegerField("Status", response.status);
  const bool has_units = response.body.find("\"ConsumedCapacity\"") != std::string::npos;
  if (response.status == 200 && !has_units) return;
  simdjson::dom::parser parser;
  JsonObject members;
  if (parser.parse(response.body).get(members) != simdjson::SUCCESS) return;
  if (response.status == 200) {
    const auto units = wire::Member(members, "ConsumedCapacity");
    if (!units) return;
    writer->Key("ConsumedCapacity");
    writer->Raw(simdjson::minify(*units));
    return;
  }
  const std::string_view type = wire::StringMember(members, "__type");
  writer->StringField("Error", type.substr(type.find('#') + 1));
  writer->StringField("Message", wire::StringMember(members, "message"));
}

}  // namespace

void RequestLog::Add(std::string_view operation, std::string_view json,
                     const EndpointResponse& response, Timestamp time) {
  if (wire::FindOperation(operation) == nullptr) return;
  std::string text;
  wire::JsonWriter writer(&text);
  writer.StringField("Time", ToIso8601(time));
  writer.StringField("Operation", operation);
  WriteRequest(json, &writer);
  WriteResponse(response, &writer);
  const MutexLock lock(mutex_);
  ++count_;
  requests_.push_back(std::move(text));
  if (requests_.size() > kRequestsMax) requests_.pop_front();
}

void RequestLog::Clear() {
  const MutexLock lock(mutex_);
  count_ = 0;
  requests_.clear();
}

std::string RequestLog::Json() const {
  const MutexLock lock(mutex_);
  std::string json = "[";
  std::uint64_t number = count_ - requests_.size();
  for (const std::string& request : requests_) {
    if (json.size() > 1) json.push_back(',');
    json.append(R"({"Number":)").append(std::to_string(++number)).append(",");
    json.append(request).append("}");
  }
  return json.append("]");
}

}  // namespace dolmen::server
