#include <dolmen/wire.h>

#include <string_view>

#include "engine/base/status_macros.h"
#include "engine/value/codec.h"
#include "tests/behaviour/driver.h"
#include "tests/support/items.h"
#include "wire/attribute_json.h"
#include "wire/json_writer.h"

namespace dolmen::behaviour {
namespace {

// The JSON of a request for a table.
class JsonRequest {
 public:
  explicit JsonRequest(const std::string& table) {
    writer_.BeginObject();
    writer_.StringField("TableName", table);
  }
  JsonRequest(const std::string& table, const Item& key) : JsonRequest(table) {
    AddItem("Key", key);
  }
  JsonRequest(const JsonRequest&) = delete;
  JsonRequest& operator=(const JsonRequest&) = delete;

  void AddItem(std::string_view member, const Item& item) {
    const StoredItem stored = test::StoreItem(item);
    writer_.Key(member);
    writer_.Attributes(stored.view());
  }
  void AddText(std::string_view member, std::string_view text) {
    writer_.StringField(member, text);
  }
  void AddExpression(ExpressionKind kind, std::string_view text) {
    AddText(ExpressionKindName(kind), text);
  }
  void AddPlaceholders(const Names& names, const Values& values) {
    if (!names.empty()) {
      writer_.Key("ExpressionAttributeNames");
      writer_.BeginObject();
      for (const auto& [token, name] : names) writer_.StringField(token, name);
      writer_.EndObject();
    }
    if (values.empty()) return;
    writer_.Key("ExpressionAttributeValues");
    writer_.BeginObject();
    for (const auto& [token, value] : values) {
      std::string payload;
      EXPECT_THAT(engine::EncodeValue(value, &payload), test::IsOk());
      writer_.Key(token);
      writer_.Value(AttributeView(value.type(), payload));
    }
    writer_.EndObject();
  }

  // Ends the request and returns its text.
  const std::string& Finish() {
    writer_.EndObject();
    return json_;
  }

 private:
  std::string json_;
  wire::JsonWriter writer_{&json_};
};

class WireDriver : public Driver {
 public:
  WireDriver(const Database& database, const std::string& table, const std::string& pk)
      : Driver(pk), endpoint_(database), table_(table) {}

  std::string name() const override { return "wire"; }

  void Put(const Item& item) override {
    JsonRequest request(table_);
    request.AddItem("Item", item);
    EXPECT_THAT(Execute("PutItem", &request), test::IsOk());
  }
  void Delete() override {
    JsonRequest request(table_, Key());
    EXPECT_THAT(Execute("DeleteItem", &request), test::IsOk());
  }
  Item Get() override {
    JsonRequest request(table_, Key());
    const Result<wire::JsonObject> got = Execute("GetItem", &request);
    EXPECT_THAT(got, test::IsOk());
    return got.ok() ? *ItemIn(*got) : Item();
  }

  Result<bool> Holds(ExpressionKind kind, const ExpressionInput& condition) override {
    return kind == ExpressionKind::kFilter ? Filters(condition) : Allows(condition);
  }

  Status Update(const ExpressionInput& update) override {
    JsonRequest request(table_, Key());
    request.AddExpression(ExpressionKind::kUpdate, update.text);
    request.AddPlaceholders(update.names, update.values);
    return Execute("UpdateItem", &request).status();
  }

  Result<Item> Project(const ExpressionInput& projection) override {
    JsonRequest request(table_, Key());
    request.AddExpression(ExpressionKind::kProjection, projection.text);
    request.AddPlaceholders(projection.names, projection.values);
    DOLMEN_ASSIGN_OR_RETURN(const wire::JsonObject got, Execute("GetItem", &request));
    return ItemIn(got);
  }

  Result<std::vector<std::string>> Select(const ExpressionInput& key_condition,
                                          const std::string& index) override {
    JsonRequest request(table_);
    if (!index.empty()) request.AddText("IndexName", index);
    request.AddExpression(ExpressionKind::kKeyCondition, key_condition.text);
    request.AddPlaceholders(key_condition.names, key_condition.values);
    DOLMEN_ASSIGN_OR_RETURN(const wire::JsonObject page, Execute("Query", &request));
    std::vector<std::string> sort_keys;
    for (const wire::Json json : wire::ArrayOf(*wire::Member(page, "Items"))) {
      DOLMEN_ASSIGN_OR_RETURN(const Item item, wire::ReadItem(json));
      sort_keys.push_back(*item.at("SK").get_if<std::string>());
    }
    return sort_keys;
  }

 private:
  Result<bool> Allows(const ExpressionInput& condition) {
    JsonRequest request(table_, Key());
    request.AddExpression(ExpressionKind::kCondition, condition.text);
    request.AddPlaceholders(condition.names, condition.values);
    const Status written = Execute("UpdateItem", &request).status();
    if (written.code() == StatusCode::kConditionalCheckFailed) return false;
    DOLMEN_RETURN_IF_ERROR(written);
    return true;
  }

  Result<bool> Filters(const ExpressionInput& filter) {
    Values values = filter.values;
    values.emplace(":the_partition", pk());
    JsonRequest request(table_);
    request.AddExpression(ExpressionKind::kKeyCondition, "PK = :the_partition");
    request.AddExpression(ExpressionKind::kFilter, filter.text);
    request.AddPlaceholders(filter.names, values);
    DOLMEN_ASSIGN_OR_RETURN(const wire::JsonObject page, Execute("Query", &request));
    return wire::IntegerMember(page, "Count") == 1;
  }

  // Returns the response, which is valid until the next call.
  Result<wire::JsonObject> Execute(std::string_view operation, JsonRequest* request) {
    const EndpointResponse response = endpoint_.Execute(operation, request->Finish());
    wire::Json json;
    if (parser_.parse(response.body).get(json) != simdjson::SUCCESS) {
      return Status::Storage("not JSON: " + response.body);
    }
    const wire::JsonObject body = wire::ObjectOf(json);
    if (response.status == 200) return body;
    const std::string_view type = wire::StringMember(body, "__type");
    std::string_view message = wire::StringMember(body, "message");
    // Over the wire the errors of a write are counted (tests/wire/value_checker_test.cc).
    constexpr std::string_view kOneError = "1 validation error detected: ";
    if (operation == "UpdateItem" && message.starts_with(kOneError)) {
      message.remove_prefix(kOneError.size());
    }
    if (type.ends_with("#ValidationException")) return Status::Validation(std::string(message));
    if (type.ends_with("#ConditionalCheckFailedException")) {
      EXPECT_EQ(message, "The conditional request failed");
      return Status::ConditionalCheckFailed();
    }
    return Status::Storage(response.body);
  }

  // Returns the item of a response to GetItem, or no attributes if the response has no item.
  static Result<Item> ItemIn(const wire::JsonObject& response) {
    const auto item = wire::Member(response, "Item");
    return item ? wire::ReadItem(*item) : Result<Item>(Item());
  }

  Endpoint endpoint_;
  std::string table_;
  simdjson::dom::parser parser_;
};

}  // namespace

std::unique_ptr<Driver> MakeWireDriver(const Database& database, const std::string& table,
                                       const std::string& pk) {
  return std::make_unique<WireDriver>(database, table, pk);
}

}  // namespace dolmen::behaviour
