// An endpoint on a database in memory, for tests that speak DynamoDB's JSON.

#pragma once

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <string_view>

#include "dolmen/clock.h"
#include "dolmen/database.h"
#include "dolmen/wire.h"
#include "tests/support/value.h"

namespace dolmen {

inline constexpr std::string_view kValidationType = "com.amazon.coral.validate#ValidationException";
inline constexpr std::string_view kSerializationType =
    "com.amazon.coral.service#SerializationException";

// Returns the body that the endpoint writes for an error of this type and message.
inline std::string ErrorBody(std::string_view type, std::string_view message,
                             std::string_view key = "message") {
  std::string escaped;
  for (const char c : message) {
    if (c == '"' || c == '\\') escaped.push_back('\\');
    escaped.push_back(c);
  }
  return R"({"__type":")" + std::string(type) + R"(",")" + std::string(key) + R"(":")" + escaped +
         R"("})";
}

class WireTest : public ::testing::Test {
 protected:
  // Executes the operation, expects the HTTP status `status`, and returns the response's body.
  std::string Body(std::string_view operation, std::string_view json, int status = 200) {
    const EndpointResponse response = endpoint_.Execute(operation, json);
    EXPECT_EQ(response.status, status) << operation << ' ' << json << '\n' << response.body;
    return response.body;
  }

  void ExpectInvalid(std::string_view operation, std::string_view json, std::string_view message) {
    EXPECT_EQ(Body(operation, json, 400), ErrorBody(kValidationType, message)) << json;
  }

  // Expects an error that is counted, as those are that PutItem, UpdateItem and DeleteItem find in a request.
  void ExpectCounted(std::string_view operation, std::string_view json, std::string_view message) {
    ExpectInvalid(operation, json, "1 validation error detected: " + std::string(message));
  }

  void ExpectUnserializable(std::string_view operation, std::string_view json,
                            std::string_view message) {
    EXPECT_EQ(Body(operation, json, 400), ErrorBody(kSerializationType, message, "Message"))
        << json;
  }

  std::shared_ptr<ManualClock> clock_ = std::make_shared<ManualClock>();
  Database db_ = test::Value(Database::InMemory({.clock = clock_, .expiry_lag = std::nullopt}));
  Endpoint endpoint_{db_};
};

// A fixture with the table "app". Its keys are the strings PK and SK. It has a global index
// (GSI1) and a local index (by_age).
class WireItemTest : public WireTest {
 protected:
  WireItemTest() {
    CreateTableInput input;
    input.name = "app";
    input.global_secondary_indexes = {GlobalSecondaryIndex::Overloaded("GSI1")};
    input.local_secondary_indexes = {{.name = "by_age", .sort_key = {"age", AttributeType::kN}}};
    EXPECT_TRUE(db_.CreateTable(input).ok());
  }

  void Put(std::string_view item) {
    Body("PutItem", R"({"TableName":"app","Item":)" + std::string(item) + "}");
  }
  // Returns the response to GetItem for the key: {"Item":{...}}, or "{}" if the item is absent.
  std::string Get(std::string_view pk, std::string_view sk) {
    return Body("GetItem", R"({"TableName":"app","Key":{"PK":{"S":")" + std::string(pk) +
                               R"("},"SK":{"S":")" + std::string(sk) + R"("}}})");
  }
};

}  // namespace dolmen
