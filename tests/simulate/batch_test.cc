// Faults of batches and transactions, in C++ and in DynamoDB's JSON.

#include "dolmen/wire.h"
#include "tests/simulate/fixture.h"

namespace dolmen::simulate {
namespace {

class BatchFaultTest : public SimulateTest {
 protected:
  // Returns a write of three items, one of them in the table "other".
  BatchWriteItemInput Writes() const {
    return {.requests = {{.table = test::Value(db_.OpenTable("other")),
                          .requests = {PutRequest{KeyOf("b", "0")}}},
                         {.table = table_,
                          .requests = {PutRequest{KeyOf("b", "1")}, PutRequest{KeyOf("b", "2")}}}}};
  }
  TransactWriteItemsInput Actions(std::string token = {}) const {
    return {.actions = {{table_, PutItemInput{.item = KeyOf("t", "1")}},
                        {table_, PutItemInput{.item = KeyOf("u", "1")}}},
            .client_request_token = std::move(token)};
  }
};

TEST_F(BatchFaultTest, APartialBatchReturnsTheWritesThatWereNotDone) {
  Simulate(SimulateOptions{.replay = SimulatedTrace{{.operation = Operation::kBatchWriteItem,
                                                     .table = "other",
                                                     .key = "b",
                                                     .fault = Fault::kPartialBatch,
                                                     .items = {0, 2}}}});
  const auto written = db_.BatchWriteItem(Writes());
  ASSERT_THAT(written, IsOk());
  ASSERT_EQ(written->unprocessed_items.size(), 2U);
  EXPECT_EQ(written->unprocessed_items[0].table.name(), "other");
  EXPECT_EQ(written->unprocessed_items[1].table.name(), "app");
  EXPECT_FALSE(Exists("b", "2"));
  EXPECT_TRUE(Exists("b", "1"));
  EXPECT_THAT(db_.BatchWriteItem({.requests = written->unprocessed_items}), IsOk());
  EXPECT_TRUE(Exists("b", "2"));
}

TEST_F(BatchFaultTest, APartialBatchReturnsTheKeysThatWereNotRead) {
  const Table other = test::Value(db_.OpenTable("other"));
  const BatchGetItemInput read{
      .requests = {{.table = other, .keys = {KeyOf("p", "9")}},
                   {.table = table_, .keys = {KeyOf("p", "1"), KeyOf("p", "2")}}}};
  Simulate(SimulateOptions{.replay = SimulatedTrace{{.operation = Operation::kBatchGetItem,
                                                     .table = "other",
                                                     .key = "p",
                                                     .fault = Fault::kPartialBatch,
                                                     .items = {0, 1}}}});
  const auto got = db_.BatchGetItem(read);
  ASSERT_THAT(got, IsOk());
  ASSERT_EQ(got->responses.size(), 2U);
  EXPECT_TRUE(got->responses[0].empty());
  EXPECT_EQ(got->responses[1].size(), 1U);
  ASSERT_EQ(got->unprocessed_keys.size(), 2U);
  EXPECT_THAT(got->unprocessed_keys[0].keys, ElementsAre(KeyOf("p", "9")));
  EXPECT_THAT(got->unprocessed_keys[1].keys, ElementsAre(KeyOf("p", "1")));
}

TEST_F(BatchFaultTest, AProgramThatSendsTheRestAgainWritesEverything) {
  Simulate(SimulateOptions{.seed = 1, .rules = {{.fault = Fault::kPartialBatch, .chance = 0.7}}});
  BatchWriteItemInput input = Writes();
  for (int call = 0; call < 100 && !input.requests.empty(); ++call) {
    auto written = db_.BatchWriteItem(input);
    if (!written.ok()) {
      EXPECT_THAT(written, StatusIs(StatusCode::kProvisionedThroughputExceeded, _));
      continue;
    }
    input.requests = written->unprocessed_items;
  }
  EXPECT_TRUE(input.requests.empty());
  EXPECT_TRUE(Exists("b", "1"));
  EXPECT_TRUE(Exists("b", "2"));
}

TEST_F(BatchFaultTest, AnInvalidBatchIsRejected) {
  EXPECT_THAT(db_.BatchWriteItem({}), StatusIs(StatusCode::kValidation, _));
  EXPECT_THAT(db_.BatchGetItem({}), StatusIs(StatusCode::kValidation, _));
  EXPECT_THAT(db_.BatchGetItem({.requests = {{.table = table_}}}),
              StatusIs(StatusCode::kValidation, _));
  const Database stranger = test::Value(Database::InMemory());
  const Table foreign = test::Value(stranger.CreateTable({.name = "app"}));
  EXPECT_THAT(db_.BatchGetItem({.requests = {{foreign, {KeyOf("p", "1")}}}}),
              StatusIs(StatusCode::kValidation, testing::HasSubstr("another database")));
}

TEST_F(BatchFaultTest, NoPartOfAnInvalidBatchIsDone) {
  Simulate({{.fault = Fault::kPartialBatch}});
  const auto put = [](const char* sk) { return PutRequest{KeyOf("b", sk)}; };
  for (int i = 0; i < 5; ++i) {  // each call leaves other items
    EXPECT_THAT(db_.BatchWriteItem({.requests = {{table_, {put("1"), put("2"), put("1")}}}}),
                StatusIs(StatusCode::kValidation, testing::HasSubstr("duplicates")));
    EXPECT_THAT(db_.BatchGetItem({.requests = {{table_, {KeyOf("p", "1"), KeyOf("p", "1")}}}}),
                StatusIs(StatusCode::kValidation, testing::HasSubstr("duplicates")));
  }
  EXPECT_FALSE(Exists("b", "2"));
}

TEST_F(BatchFaultTest, ARuleLeavesOnlyTheItemsOfItsTable) {
  Simulate({{.table = "other", .fault = Fault::kPartialBatch}});
  const auto written = db_.BatchWriteItem(Writes());
  ASSERT_THAT(written, IsOk());
  ASSERT_EQ(written->unprocessed_items.size(), 1U);
  EXPECT_EQ(written->unprocessed_items[0].table.name(), "other");
}

TEST_F(BatchFaultTest, ATransactionIsCanceledWithTheReasonOfOneAction) {
  Simulate({{.key_prefix = "u", .fault = Fault::kTransactionConflict}});
  const Status conflict = db_.TransactWriteItems(Actions()).status();
  EXPECT_EQ(conflict.message(),
            "Transaction cancelled, please refer cancellation reasons for specific reasons "
            "[None, TransactionConflict]");
  Simulate({{.key_prefix = "t", .fault = Fault::kProvisionedThroughputExceeded}});
  const Status throttled = db_.TransactWriteItems(Actions()).status();
  EXPECT_EQ(throttled.message(),
            "Transaction cancelled, please refer cancellation reasons for specific reasons "
            "[ProvisionedThroughputExceeded, None]");
  EXPECT_FALSE(Exists("t", "1"));
  EXPECT_FALSE(Exists("u", "1"));
}

TEST_F(BatchFaultTest, OnlyATransactionWithATokenCanBeInProgress) {
  Simulate({{.fault = Fault::kTransactionInProgress}});
  EXPECT_THAT(db_.TransactWriteItems(Actions()), IsOk());
  EXPECT_THAT(db_.TransactWriteItems(Actions("token")),
              StatusIs(StatusCode::kTransactionInProgress, _));
}

TEST_F(BatchFaultTest, ATokenMakesARepetitionSafeAfterAnUnclearError) {
  Simulate({{.fault = Fault::kInternalServerError, .moment = FaultMoment::kAfter, .calls_max = 1}});
  const TransactWriteItemsInput add{.actions = {{table_, UpdateItemInput{.key = KeyOf("t", "1"),
                                                                         .update = "ADD n :one",
                                                                         .values = {{":one", 1}}}}},
                                    .client_request_token = "token"};
  EXPECT_THAT(db_.TransactWriteItems(add), StatusIs(StatusCode::kInternalServerError, _));
  EXPECT_THAT(db_.TransactWriteItems(add), IsOk());
  const auto got = test::Value(table_.GetItem({.key = KeyOf("t", "1")}));
  ASSERT_TRUE(got.item.has_value());
  EXPECT_EQ((*got.item)["n"].AsInt64(), 1);
}

TEST_F(BatchFaultTest, TheWireWritesUnprocessedItemsAndKeysAsTheRequestHadThem) {
  const Endpoint endpoint(db_);
  const auto replay = [this](Operation operation, std::vector<std::size_t> items) {
    Simulate(SimulateOptions{.replay = SimulatedTrace{{.operation = operation,
                                                       .table = "app",
                                                       .key = "p",
                                                       .fault = Fault::kPartialBatch,
                                                       .items = std::move(items)}}});
  };
  constexpr std::string_view kKey1 = R"({"PK":{"S":"p"},"SK":{"S":"1"}})";
  constexpr std::string_view kKey7 = R"({"PK":{"S":"p"},"SK":{"S":"7"}})";
  const std::string put = R"({"PutRequest":{"Item":)" + std::string(kKey7) + "}}";
  const std::string remove = R"({"DeleteRequest":{"Key":)" + std::string(kKey1) + "}}";

  replay(Operation::kBatchWriteItem, {1});
  EXPECT_EQ(
      endpoint.Execute("BatchWriteItem", R"({"RequestItems":{"app":[)" + put + "," + remove + "]}}")
          .body,
      R"({"UnprocessedItems":{"app":[)" + remove + "]}}");
  replay(Operation::kBatchGetItem, {0});
  EXPECT_EQ(
      endpoint
          .Execute("BatchGetItem", R"({"RequestItems":{"app":{"Keys":[)" + std::string(kKey1) +
                                       "," + std::string(kKey7) + R"(]},"other":{"Keys":[)" +
                                       std::string(kKey1) + "]}}}")
          .body,
      R"({"Responses":{"app":[)" + std::string(kKey7) +
          R"(],"other":[]},"UnprocessedKeys":{"app":{"Keys":[)" + std::string(kKey1) + "]}}}");
}

TEST_F(BatchFaultTest, TheWireHasTheNamesAndTheHttpStatusOfAws) {
  const Endpoint endpoint(db_);
  const std::string key = R"({"TableName":"app","Key":{"PK":{"S":"p"},"SK":{"S":"1"}}})";
  const std::vector<std::tuple<Fault, int, std::string>> cases = {
      {Fault::kProvisionedThroughputExceeded, 400, "ProvisionedThroughputExceededException"},
      {Fault::kThrottling, 400, "ThrottlingException"},
      {Fault::kRequestLimitExceeded, 400, "RequestLimitExceeded"},
      {Fault::kInternalServerError, 500, "InternalServerError"},
      {Fault::kServiceUnavailable, 503, "ServiceUnavailable"}};
  for (const auto& [fault, status, name] : cases) {
    Simulate({{.fault = fault}});
    const EndpointResponse response = endpoint.Execute("GetItem", key);
    EXPECT_EQ(response.status, status);
    EXPECT_THAT(response.body,
                testing::StartsWith(R"({"__type":"com.amazonaws.dynamodb.v20120810#)" + name +
                                    R"(","message":")"));
  }
}

}  // namespace
}  // namespace dolmen::simulate
