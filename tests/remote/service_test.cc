// Tests of what the operations share.

#include "remote/service.h"

#include <gmock/gmock.h>

#include <functional>
#include <memory>
#include <string>
#include <utility>

#include "dolmen/database.h"
#include "dolmen/wire.h"
#include "remote/backend.h"
#include "tests/remote/scripted_server.h"
#include "tests/remote/test_system.h"
#include "tests/support/status_matchers.h"
#include "tests/support/value.h"

namespace dolmen::test {
namespace {

using ::testing::HasSubstr;

// A service that cannot be reached any more after it has executed the operation `last`.
class EndingService {
 public:
  explicit EndingService(std::string last) : last_(std::move(last)) {}

  Database Connect() const {
    auto client = Value(remote::Client::Create({.endpoint = server_.url()}, system_->Functions()));
    return Database(std::make_shared<remote::RemoteBackend>(std::move(client), Clock::System(),
                                                            [](std::chrono::milliseconds) {}));
  }

 private:
  std::string Answer(const ReceivedRequest& request) const {
    const std::string& target = request.fields.at("x-amz-target");
    const std::string operation = target.substr(target.find('.') + 1);
    EndpointResponse response = Endpoint(local_).Execute(operation, request.body);
    if (operation == "BatchWriteItem") {
      response.body = R"({"UnprocessedItems":{"app":[)"
                      R"({"DeleteRequest":{"Key":{"PK":{"S":"a"},"SK":{"S":"1"}}}},)"
                      R"({"DeleteRequest":{"Key":{"PK":{"S":"b"},"SK":{"S":"1"}}}}]}})";
    }
    if (operation != last_) return ResponseText(response.status, response.body);
    server_.StopListening();
    return ResponseText(response.status, response.body, "Connection: close\r\n");
  }

  const std::string last_;
  const std::unique_ptr<TestSystem> system_ = std::make_unique<TestSystem>();
  const Database local_ = Value(Database::InMemory({.expiry_lag = std::nullopt}));
  const ScriptedServer server_{[this](const ReceivedRequest& request) { return Answer(request); }};
};

TEST(ServiceTest, AnErrorAfterAnExecutedRequestSaysThatItWasExecuted) {
  const auto key = [](const char* name) -> Item { return {{"PK", name}, {"SK", "1"}}; };
  using Call = std::function<Status(const Database&, const Table&)>;
  const std::vector<std::pair<const char*, Call>> calls = {
      {"UpdateTable",
       [](const Database& db, const Table&) {
         return db.UpdateTable({.name = "app", .deletion_protection = true}).status();
       }},
      {"UpdateTimeToLive",
       [](const Database& db, const Table&) {
         return db.UpdateTimeToLive({.table_name = "app", .specification = {.attribute_name = "t"}})
             .status();
       }},
      {"DeleteTable", [](const Database& db, const Table&) { return db.DeleteTable("app"); }},
      {"BatchWriteItem",
       [&](const Database& db, const Table& table) {
         return db
             .BatchWriteItem(
                 {.requests = {{table, {DeleteRequest{key("a")}, DeleteRequest{key("b")}}}}})
             .status();
       }},
  };
  for (const auto& [operation, call] : calls) {
    const EndingService service(operation);
    const Database db = service.Connect();
    const Table table = Value(db.CreateTable({.name = "app"}));
    EXPECT_THAT(call(db, table),
                StatusIs(StatusCode::kInternalServerError,
                         HasSubstr("An earlier request of this call was executed.")))
        << operation;
  }
  const EndingService service("CreateTable");
  EXPECT_THAT(service.Connect().CreateTable({.name = "app"}),
              StatusIs(StatusCode::kInternalServerError, HasSubstr("was executed.")));
}

}  // namespace
}  // namespace dolmen::test
