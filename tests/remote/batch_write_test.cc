// Tests of batches of which a service leaves a part unprocessed.

#include <gmock/gmock.h>

#include <memory>
#include <string>

#include "dolmen/entity.h"
#include "remote/backend.h"
#include "tests/remote/backend_fixture.h"
#include "tests/remote/parcel.h"

namespace dolmen::remote {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;

using BatchTest = BackendTest;

Item Numbered(const std::string& number) { return {{"PK", "a"}, {"SK", number}}; }

TEST_F(BatchTest, UnprocessedWritesAndKeysAreSentAgain) {
  const Database remote = Connect(2);
  const Table table = Value(remote.CreateTable({.name = "app"}));
  Simulate({.rules = {{.fault = SimulatedFault::kPartialBatch, .calls_max = 3}}});
  const auto written = Value(remote.BatchWriteItem(
      {.requests = {{table, {PutRequest{Numbered("1")}, PutRequest{Numbered("2")}}}}}));
  EXPECT_THAT(written.unprocessed_items, IsEmpty());
  Simulate({.rules = {{.fault = SimulatedFault::kPartialBatch, .calls_max = 3}}});
  const auto read = Value(remote.BatchGetItem(
      {.requests = {{.table = table, .keys = {Numbered("1"), Numbered("2")}}}}));
  EXPECT_THAT(read.unprocessed_keys, IsEmpty());
  ASSERT_EQ(read.responses.size(), 1u);
  EXPECT_EQ(read.responses[0].size(), 2u);
}

TEST_F(BatchTest, ABatchReturnsTheWritesThatAreNeverProcessed) {
  const Database remote = Connect(2);
  const Table table = Value(remote.CreateTable({.name = "app"}));
  Simulate({.rules = {{.fault = SimulatedFault::kPartialBatch}}});
  const auto written = remote.BatchWriteItem(
      {.requests = {{table, {PutRequest{Numbered("1")}, PutRequest{Numbered("2")}}}}});
  ASSERT_THAT(written, IsOk());
  EXPECT_EQ(written->unprocessed_items.size(), 1u);
  EXPECT_GT(pauses_, 0);
}

// The program sees each failure, as with an embedded database.
TEST_F(BatchTest, WithOneAttemptABatchReturnsWhatItsRequestHasLeft) {
  const Table table = Value(remote_.CreateTable({.name = "app"}));
  Simulate({.rules = {{.fault = SimulatedFault::kPartialBatch, .calls_max = 1}}});
  const auto written = Value(remote_.BatchWriteItem(
      {.requests = {{table, {PutRequest{Numbered("1")}, PutRequest{Numbered("2")}}}}}));
  ASSERT_EQ(written.unprocessed_items.size(), 1u);
  EXPECT_EQ(written.unprocessed_items[0].requests.size(), 1u);
  Value(remote_.BatchWriteItem({.requests = written.unprocessed_items}));

  Simulate({.rules = {{.fault = SimulatedFault::kPartialBatch, .calls_max = 1}}});
  const auto read = Value(remote_.BatchGetItem(
      {.requests = {{.table = table, .keys = {Numbered("1"), Numbered("2")}}}}));
  ASSERT_EQ(read.unprocessed_keys.size(), 1u);
  EXPECT_EQ(read.unprocessed_keys[0].keys.size(), 1u);
  EXPECT_EQ(read.responses[0].size(), 1u);
  EXPECT_EQ(pauses_, 0);
}

// A request names each table once, so the two parts are two requests, each with one attempt.
TEST_F(BatchTest, WithOneAttemptABatchSendsAllItsParts) {
  const Table table = Value(remote_.CreateTable({.name = "app"}));
  for (const char* const sort : {"1", "2", "3"}) Value(table.PutItem({.item = Numbered(sort)}));
  Simulate({.rules = {{.fault = SimulatedFault::kPartialBatch, .calls_max = 1}}});
  const auto read = Value(remote_.BatchGetItem(
      {.requests = {{.table = table, .keys = {Numbered("1"), Numbered("2")}},
                    {.table = table, .keys = {Numbered("3")}, .projection = Project("SK")}}}));
  EXPECT_EQ(read.unprocessed_keys.size(), 1u);
  EXPECT_EQ(read.responses[0].size(), 1u);
  EXPECT_EQ(read.responses[1].size(), 1u);
}

// Answers as a service that leaves each batch unprocessed.
std::string LeaveBatch(const Database& local, const test::ReceivedRequest& request) {
  const std::string& target = request.fields.at("x-amz-target");
  const std::string operation = target.substr(target.find('.') + 1);
  const bool reads = operation == "BatchGetItem";
  if (!reads && operation != "BatchWriteItem") {
    const EndpointResponse response = Endpoint(local).Execute(operation, request.body);
    return test::ResponseText(response.status, response.body);
  }
  std::string body = request.body;
  const std::string sent = "RequestItems";
  body.replace(body.find(sent), sent.size(), reads ? "UnprocessedKeys" : "UnprocessedItems");
  return test::ResponseText(200, body);
}

TEST(EntityBatchTest, ABatchThatIsNeverProcessedFails) {
  const Database local = Value(Database::InMemory());
  const test::ScriptedServer server(
      [&](const test::ReceivedRequest& request) { return LeaveBatch(local, request); });
  for (const int attempts_max : {1, 4}) {
    SCOPED_TRACE(attempts_max);
    auto client = Value(Client::Create({.endpoint = server.url(), .attempts_max = attempts_max}));
    const Database database(std::make_shared<RemoteBackend>(std::move(client), Clock::System(),
                                                            [](std::chrono::milliseconds) {}));
    const EntityTable table = Value(EntityTable::Open(database, {.name = "notes"}));
    const std::vector<Note> notes = {{.id = "1", .text = "a"}, {.id = "2", .text = "b"}};
    const auto is_refused = StatusIs(StatusCode::kProvisionedThroughputExceeded,
                                     HasSubstr("has left all 2 items of a batch unprocessed"));
    EXPECT_THAT(table.BatchPut(notes), is_refused);
    EXPECT_THAT(table.BatchRemove(notes), is_refused);
    EXPECT_THAT(table.BatchGet(notes), is_refused);
  }
}

}  // namespace
}  // namespace dolmen::remote
