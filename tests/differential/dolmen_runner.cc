// A program that answers DynamoDB's JSON requests with a Dolmen database in memory. Each line of
// standard input is a request: {"op": "PutItem", "input": {...}}. Each line of standard output is
// an answer: the response's body, or {"__type": "...", "message": "..."}.

#include <dolmen/dolmen.h>

#include <exception>
#include <iostream>
#include <map>
#include <optional>
#include <stdexcept>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "tests/differential/json_values.h"

namespace dolmen::differential {
namespace {

Json ToJson(const ItemView& item) {
  const auto copy = item.Copy();
  if (!copy.ok()) throw std::runtime_error(copy.status().ToString());
  return differential::ToJson(*copy);
}

Json ErrorToJson(const Status& status) {
  Json json = {{"__type", StatusCodeName(status.code())}, {"message", status.message()}};
  if (status.item() != nullptr) json["Item"] = ToJson(status.item()->view());
  for (const Status& reason : status.reasons()) {
    Json entry = {{"Code", CancellationCode(reason)}};
    if (!reason.ok()) entry["Message"] = reason.message();
    if (reason.item() != nullptr) entry["Item"] = ToJson(reason.item()->view());
    json["CancellationReasons"].push_back(std::move(entry));
  }
  return json;
}

// The error for an invalid value in a request. A C++ program gets this error when it constructs the
// value, before it calls Dolmen.
struct BadValue {
  Status status;
};

AttributeType TypeOf(const Json& definitions, const std::string& name) {
  for (const Json& definition : definitions) {
    if (definition.at("AttributeName") != name) continue;
    const auto type = definition.at("AttributeType").get<std::string>();
    return type == "S" ? AttributeType::kS : type == "N" ? AttributeType::kN : AttributeType::kB;
  }
  throw std::invalid_argument("no definition of " + name);
}

std::pair<KeyAttribute, std::optional<KeyAttribute>> KeysOf(const Json& schema,
                                                            const Json& definitions) {
  const auto key = [&](const Json& element) {
    const auto name = element.at("AttributeName").get<std::string>();
    return KeyAttribute{name, TypeOf(definitions, name)};
  };
  return {key(schema.at(0)), schema.size() > 1 ? std::optional(key(schema.at(1))) : std::nullopt};
}

ReturnValues ReturnValuesOf(const Json& input) {
  const std::string text = input.value("ReturnValues", "NONE");
  return text == "ALL_OLD"       ? ReturnValues::kAllOld
         : text == "ALL_NEW"     ? ReturnValues::kAllNew
         : text == "UPDATED_OLD" ? ReturnValues::kUpdatedOld
         : text == "UPDATED_NEW" ? ReturnValues::kUpdatedNew
                                 : ReturnValues::kNone;
}

Map MapMember(const Json& input, const char* member) {
  if (!input.contains(member)) return {};
  auto map = MapFromJson(input.at(member));
  if (!map.ok()) throw BadValue{map.status()};
  return *std::move(map);
}

template <typename Expression>
void SetExpression(const Json& json, const char* parameter, Expression* expression) {
  if (json.contains(parameter)) *expression = json.at(parameter).get<std::string>();
}

// Reads the names and values of the placeholders of any input with expressions.
template <typename Input>
void ReadPlaceholders(const Json& json, Input* input) {
  const Json names = json.value("ExpressionAttributeNames", Json::object());
  for (const auto& [token, name] : names.items()) {
    input->names.insert_or_assign(token, name.template get<std::string>());
  }
  if constexpr (requires { input->values; }) {
    input->values = MapMember(json, "ExpressionAttributeValues");
  }
}

template <typename Input>
Input WriteFromJson(const Json& json) {
  Input input;
  if constexpr (requires { input.key; }) {
    input.key = MapMember(json, "Key");
  } else {
    input.item = MapMember(json, "Item");
  }
  if constexpr (requires { input.update; }) SetExpression(json, "UpdateExpression", &input.update);
  if constexpr (requires { input.return_values; }) input.return_values = ReturnValuesOf(json);
  SetExpression(json, "ConditionExpression", &input.condition);
  input.return_item_on_condition_failure =
      json.value("ReturnValuesOnConditionCheckFailure", "") == "ALL_OLD";
  ReadPlaceholders(json, &input);
  return input;
}

QueryInput QueryFromJson(const Json& json) {
  QueryInput input;
  input.index = json.value("IndexName", "");
  SetExpression(json, "KeyConditionExpression", &input.key_condition);
  SetExpression(json, "FilterExpression", &input.filter);
  SetExpression(json, "ProjectionExpression", &input.projection);
  input.forward = json.value("ScanIndexForward", true);
  if (json.contains("Limit")) input.limit = json.at("Limit").get<std::uint32_t>();
  if (json.value("Select", "") == "COUNT") input.select = Select::kCount;
  input.exclusive_start_key = MapMember(json, "ExclusiveStartKey");
  ReadPlaceholders(json, &input);
  return input;
}

class Runner {
 public:
  explicit Runner(Database database) : database_(std::move(database)) {}

  // Returns the answer to one line. Does not throw for any request.
  Json Answer(const std::string& line) {
    try {
      const Json request = Json::parse(line);
      const auto handler = handlers_.find(request.at("op").get<std::string>());
      if (handler == handlers_.end()) throw std::invalid_argument("no such operation");
      return (this->*handler->second)(request.at("input"));
    } catch (const BadValue& bad) {
      return ErrorToJson(bad.status);
    } catch (const std::exception& e) {
      return {{"__type", "RunnerException"}, {"message", e.what()}};
    }
  }

 private:
  using Handler = Json (Runner::*)(const Json& input);

  Json CreateTable(const Json& json) {
    const Json& definitions = json.at("AttributeDefinitions");
    CreateTableInput input;
    input.name = json.at("TableName").get<std::string>();
    std::tie(input.partition_key, input.sort_key) = KeysOf(json.at("KeySchema"), definitions);
    for (const Json& index : json.value("GlobalSecondaryIndexes", Json::array())) {
      const auto [partition, sort] = KeysOf(index.at("KeySchema"), definitions);
      GlobalSecondaryIndex& made = input.global_secondary_indexes.emplace_back();
      made.name = index.at("IndexName").get<std::string>();
      made.partition_key = {partition};
      if (sort) made.sort_key = {*sort};
    }
    const auto table = database_.CreateTable(input);
    if (!table.ok()) return ErrorToJson(table.status());
    tables_.emplace(input.name, *table);
    return Json::object();
  }

  Json GetItem(const Json& json) {
    GetItemInput input;
    input.key = MapMember(json, "Key");
    SetExpression(json, "ProjectionExpression", &input.projection);
    ReadPlaceholders(json, &input);
    const auto output = TableOf(json).GetItem(input);
    if (!output.ok()) return ErrorToJson(output.status());
    if (!output->item) return Json::object();
    return {{"Item", ToJson(output->item->view())}};
  }

  template <typename Input, auto method>
  Json Write(const Json& json) {
    const auto output = (TableOf(json).*method)(WriteFromJson<Input>(json));
    if (!output.ok()) return ErrorToJson(output.status());
    if (!output->attributes) return Json::object();
    return {{"Attributes", ToJson(output->attributes->view())}};
  }

  Json Query(const Json& json) {
    const QueryInput input = QueryFromJson(json);
    const auto page = TableOf(json).Query(input);
    if (!page.ok()) return ErrorToJson(page.status());
    Json answer = {{"Count", page->count()}, {"ScannedCount", page->scanned_count()}};
    if (input.select == Select::kDefault) {
      answer["Items"] = Json::array();
      for (const ItemView item : *page) answer["Items"].push_back(ToJson(item));
    }
    if (!page->last_evaluated_key().empty()) {
      answer["LastEvaluatedKey"] = differential::ToJson(page->last_evaluated_key());
    }
    return answer;
  }

  Json TransactWriteItems(const Json& json) {
    std::vector<TransactWriteItem> actions;
    for (const Json& entry : json.at("TransactItems")) {
      const std::string kind = entry.begin().key();
      const Json& action = entry.front();
      TransactWriteItem item{TableOf(action)};
      if (kind == "Put") item.action = WriteFromJson<PutItemInput>(action);
      if (kind == "Update") item.action = WriteFromJson<UpdateItemInput>(action);
      if (kind == "Delete") item.action = WriteFromJson<DeleteItemInput>(action);
      if (kind == "ConditionCheck") item.action = WriteFromJson<ConditionCheckInput>(action);
      actions.push_back(std::move(item));
    }
    const Status status = database_.TransactWriteItems({.actions = actions}).status();
    return status.ok() ? Json::object() : ErrorToJson(status);
  }

  const Table& TableOf(const Json& json) const {
    return tables_.at(json.at("TableName").get<std::string>());
  }

  Database database_;
  std::map<std::string, Table> tables_;
  std::map<std::string, Handler> handlers_ = {
      {"CreateTable", &Runner::CreateTable},
      {"GetItem", &Runner::GetItem},
      {"PutItem", &Runner::Write<PutItemInput, &Table::PutItem>},
      {"UpdateItem", &Runner::Write<UpdateItemInput, &Table::UpdateItem>},
      {"DeleteItem", &Runner::Write<DeleteItemInput, &Table::DeleteItem>},
      {"Query", &Runner::Query},
      {"TransactWriteItems", &Runner::TransactWriteItems},
  };
};

int Run() {
  auto database = Database::InMemory();
  if (!database.ok()) {
    std::cerr << database.status().ToString() << '\n';
    return 1;
  }
  Runner runner(*std::move(database));
  for (std::string line; std::getline(std::cin, line);) {
    const Json answer = runner.Answer(line);
    std::cout << answer.dump(-1, ' ', true, Json::error_handler_t::replace) << std::endl;
  }
  return 0;
}

}  // namespace
}  // namespace dolmen::differential

int main() { return dolmen::differential::Run(); }
