// A fixture for tests of control requests.

#pragma once

#include <chrono>
#include <memory>
#include <string>

#include "dolmen/testing/simulate.h"
#include "tests/server/server_fixture.h"
#include "tests/support/value.h"

namespace dolmen::test {

// A server with a manual clock. Each access key has a database with the table "app", whose item
// "fixture" never expires.
class ControlFixture : public ServerFixture {
 protected:
  ControlFixture() {
    control_ = true;
    const Database original = Value(Database::InMemory(
        {.clock = database_clock_, .expiry_lag = std::nullopt, .simulate = Simulate({})}));
    const Table table = Value(original.CreateTable({.name = "app", .sort_key = std::nullopt}));
    EXPECT_THAT(table.PutItem({.item = {{"PK", "fixture"}}}), IsOk());
    EXPECT_THAT(original.UpdateTimeToLive(
                    {.table_name = "app", .specification = {.attribute_name = "expires"}}),
                IsOk());
    Serve(Value(original.Fork({.clock = database_clock_})), true);
  }

  void Serve(const Database& original, bool per_access_key) {
    databases_ = std::make_shared<server::Databases>(
        original,
        server::DatabasesOptions{.served = {.logs_requests = true, .clock = database_clock_},
                                 .per_access_key = per_access_key});
  }

  // Sends a control request, "POST reset", for the database of the access key.
  HttpResponse Control(const std::string& request, const std::string& key = "key",
                       const std::string& body = "") {
    const std::size_t space = request.find(' ');
    return Ask(
        RequestText(body, {.method = request.substr(0, space),
                           .target = "/_dolmen/" + request.substr(space + 1),
                           .operation = "",
                           .content_type = "",
                           .authorization = "",
                           .date = "",
                           .more = key.empty() ? "" : "x-dolmen-access-key: " + key + "\r\n"}));
  }

  // Executes an operation on the database of the access key "key".
  HttpResponse Execute(const std::string& operation, const std::string& json) {
    return Ask(RequestText(json, {.operation = "DynamoDB_20120810." + operation}));
  }
  void Put(const std::string& item, const std::string& attributes = "") {
    EXPECT_EQ(Execute("PutItem", PutJson(item, attributes)).status, 200);
  }
  static std::string PutJson(const std::string& item, const std::string& attributes = "") {
    return R"({"TableName":"app","Item":{"PK":{"S":")" + item + R"("})" + attributes + "}}";
  }
  std::string Count() { return Execute("Scan", R"({"TableName":"app","Select":"COUNT"})").body; }

  const std::shared_ptr<ManualClock> database_clock_ =
      std::make_shared<ManualClock>(Value(ParseIso8601("2026-01-01T00:00:00Z")));
};

}  // namespace dolmen::test
