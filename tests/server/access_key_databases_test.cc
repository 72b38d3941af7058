// Tests of a server that keeps a database for each access key.

#include <string>
#include <thread>
#include <vector>

#include "tests/server/server_fixture.h"
#include "tests/support/items.h"

namespace dolmen::test {
namespace {

using testing::HasSubstr;

// A server whose original has the table "app" with the item "fixture".
class AccessKeyDatabasesTest : public ServerFixture {
 protected:
  AccessKeyDatabasesTest() {
    auto table = database_.CreateTable({.name = "app", .sort_key = std::nullopt});
    EXPECT_THAT(table, IsOk());
    EXPECT_THAT(table->PutItem({.item = {{"PK", "fixture"}}}), IsOk());
    databases_ = std::make_shared<server::Databases>(database_,
                                                     server::DatabasesOptions{.databases_max = 60});
  }

  static std::string SignedBy(const std::string& key, const std::string& operation,
                              const std::string& json) {
    return RequestText(json, {.operation = "DynamoDB_20120810." + operation,
                              .authorization = "AWS4-HMAC-SHA256 Credential=" + key +
                                               "/20260101/eu-north-1/dynamodb/aws4_request, "
                                               "SignedHeaders=host, Signature=00"});
  }
  static std::string Put(const std::string& key, const std::string& item) {
    return SignedBy(key, "PutItem", R"({"TableName":"app","Item":{"PK":{"S":")" + item + R"("}}})");
  }
  static std::string Scan(const std::string& key) {
    return SignedBy(key, "Scan", R"({"TableName":"app"})");
  }
  static std::string ItemJson(const std::string& item) {
    return R"({"PK":{"S":")" + item + R"("}})";
  }
};

TEST_F(AccessKeyDatabasesTest, EachAccessKeySeesTheFixtureAndItsOwnWrites) {
  constexpr int kThreads = 10;
  constexpr int kKeysPerThread = 5;
  const std::uint16_t port = server().port();
  std::vector<std::thread> threads;
  for (int thread = 0; thread < kThreads; ++thread) {
    threads.emplace_back([port, thread] {
      HttpClient client(port);
      for (int step = 0; step < 20 * kKeysPerThread; ++step) {
        const std::string key =
            "key" + std::to_string(thread * kKeysPerThread + step % kKeysPerThread);
        EXPECT_EQ(client.Ask(Put(key, key))->status, 200);
        const std::string items = client.Ask(Scan(key))->body;
        EXPECT_THAT(items, HasSubstr(R"("Count":2,)"));
        EXPECT_THAT(items, HasSubstr(ItemJson("fixture")));
        EXPECT_THAT(items, HasSubstr(ItemJson(key)));
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(databases_->size(), kThreads * kKeysPerThread);
}

TEST_F(AccessKeyDatabasesTest, APresignedRequestHasAnAccessKey) {
  ASSERT_EQ(Ask(Put("key", "own")).status, 200);
  const std::string presigned = RequestText(
      R"({"TableName":"app"})",
      {.target = "/?X-Amz-Algorithm=AWS4-HMAC-SHA256&X-Amz-Credential=key%2F20260101%2Feu-north-1"
                 "%2Fdynamodb%2Faws4_request&X-Amz-Date=20260101T000000Z&X-Amz-Expires=60"
                 "&X-Amz-SignedHeaders=host&X-Amz-Signature=00",
       .operation = "DynamoDB_20120810.Scan",
       .authorization = ""});
  EXPECT_THAT(Ask(presigned).body, HasSubstr(ItemJson("own")));
}

TEST_F(AccessKeyDatabasesTest, AResponseSaysThatThereAreTooManyDatabases) {
  for (int key = 0; key < 60; ++key) ASSERT_EQ(Ask(Scan(std::to_string(key))).status, 200);
  const HttpResponse response = Ask(Scan("one more"));
  EXPECT_EQ(response.status, 400);
  EXPECT_THAT(response.body, HasSubstr("#ValidationException"));
  EXPECT_THAT(response.body, HasSubstr("at most 60 access keys"));
}

// Uses the shortest period of the server's timer.
TEST_F(AccessKeyDatabasesTest, TheServerDropsIdleDatabases) {
  databases_ = std::make_shared<server::Databases>(
      database_, server::DatabasesOptions{.idle_max = std::chrono::milliseconds(0)});
  options_.timeouts = {.idle = std::chrono::milliseconds(40)};
  ASSERT_EQ(Ask(Scan("key")).status, 200);
  while (databases_->size() > 0) std::this_thread::yield();
}

}  // namespace
}  // namespace dolmen::test
