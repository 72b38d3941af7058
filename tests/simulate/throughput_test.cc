// Throttling by provisioned capacity, on the database's clock.

#include <chrono>
#include <string>

#include "tests/simulate/fixture.h"

namespace dolmen::simulate {
namespace {

using std::chrono::seconds;

class ThroughputTest : public SimulateTest {
 protected:
  // Puts items until a put is throttled, at most 10,000. Returns the number of items stored.
  int PutUntilThrottled(const Table& table, std::string_view pk) const {
    for (int count = 0; count < 10'000; ++count) {
      const auto put = table.PutItem({.item = KeyOf(pk, std::to_string(count))});
      if (put.ok()) continue;
      EXPECT_THAT(put, StatusIs(StatusCode::kProvisionedThroughputExceeded, _));
      return count;
    }
    return 10'000;
  }
};

TEST_F(ThroughputTest, ATableAccumulatesUnusedCapacityFor300Seconds) {
  Simulate(SimulateOptions{.throughput = {{.table = "app", .write_units = 2}}});
  EXPECT_EQ(PutUntilThrottled(table_, "a"), 600);
  clock_->Advance(seconds(1));
  EXPECT_EQ(PutUntilThrottled(table_, "b"), 2);
  clock_->Advance(seconds(1'000));
  EXPECT_EQ(PutUntilThrottled(table_, "c"), 600);
  EXPECT_THAT(Get("a", "1"), IsOk());  // reads are not limited
}

TEST_F(ThroughputTest, ACallThatTakesMoreThanTheRestDelaysLaterCalls) {
  Simulate(SimulateOptions{.throughput = {{.table = "app", .write_units = 1}}});
  Item item = KeyOf("big", "1");
  item["text"] = std::string(399'000, 'x');  // 390 units
  EXPECT_THAT(table_.PutItem({.item = item}), IsOk());
  clock_->Advance(seconds(90));
  EXPECT_THAT(Put("a", "1"), StatusIs(StatusCode::kProvisionedThroughputExceeded, _));
  clock_->Advance(seconds(1));
  EXPECT_THAT(Put("a", "1"), IsOk());
}

TEST_F(ThroughputTest, AWriteNeedsCapacityOfEveryGlobalIndex) {
  const Table table = test::Value(db_.CreateTable(
      {.name = "indexed", .global_secondary_indexes = {GlobalSecondaryIndex::Overloaded("GSI1")}}));
  Simulate(
      SimulateOptions{.throughput = {{.table = "indexed", .write_units = 100},
                                     {.table = "indexed", .index = "GSI1", .write_units = 1}}});
  for (int i = 0; i < 300; ++i) {
    Item item = KeyOf("a", std::to_string(i));
    item["GSI1PK"] = "g";
    item["GSI1SK"] = "s";
    ASSERT_THAT(table.PutItem({.item = item}), IsOk());
  }
  EXPECT_THAT(table.PutItem({.item = KeyOf("b", "1")}),
              StatusIs(StatusCode::kProvisionedThroughputExceeded, _));
  clock_->Advance(seconds(1));
  EXPECT_THAT(table.PutItem({.item = KeyOf("b", "1")}), IsOk());
}

TEST_F(ThroughputTest, AQueryTakesTheCapacityOfItsIndex) {
  const Table table = test::Value(db_.CreateTable(
      {.name = "indexed", .global_secondary_indexes = {GlobalSecondaryIndex::Overloaded("GSI1")}}));
  Simulate(
      SimulateOptions{.throughput = {{.table = "indexed", .index = "GSI1", .read_units = 0.1}}});
  const QueryInput query{.index = "GSI1", .key_condition = Partition("g")};
  for (int i = 0; i < 60; ++i) ASSERT_THAT(table.Query(query), IsOk());  // half a unit each
  EXPECT_THAT(table.Query(query), StatusIs(StatusCode::kProvisionedThroughputExceeded, _));
  EXPECT_THAT(table.Query({.key_condition = Partition("g")}), IsOk());
}

TEST_F(ThroughputTest, OnePartitionIsThrottledAlone) {
  Simulate(SimulateOptions{.partition_write_units = 10});
  EXPECT_EQ(PutUntilThrottled(table_, "a"), 10);
  EXPECT_EQ(PutUntilThrottled(table_, "b"), 10);
  clock_->Advance(seconds(60));
  EXPECT_EQ(PutUntilThrottled(table_, "a"), 10);
}

TEST_F(ThroughputTest, ABatchLeavesTheItemsOfABusyPartitionUnprocessed) {
  Simulate(SimulateOptions{.partition_write_units = 1});
  ASSERT_THAT(Put("busy", "1"), IsOk());
  const auto written = db_.BatchWriteItem(
      {.requests = {{table_, {PutRequest{KeyOf("busy", "2")}, PutRequest{KeyOf("idle", "2")}}}}});
  ASSERT_THAT(written, IsOk());
  ASSERT_EQ(written->unprocessed_items.size(), 1U);
  EXPECT_EQ(TraceText(), "BatchWriteItem table=app key=busy call=1 fault=PartialBatch items=0\n");
  EXPECT_THAT(db_.BatchWriteItem({.requests = written->unprocessed_items}),
              StatusIs(StatusCode::kProvisionedThroughputExceeded, _));
  EXPECT_FALSE(Exists("busy", "2"));
  EXPECT_TRUE(Exists("idle", "2"));
}

TEST_F(ThroughputTest, ATransactionIsCanceledWithTheReasonOfItsBusyItems) {
  Simulate(SimulateOptions{.partition_write_units = 1});
  ASSERT_THAT(Put("busy", "1"), IsOk());
  const Status status =
      db_.TransactWriteItems({.actions = {{table_, PutItemInput{.item = KeyOf("idle", "1")}},
                                          {table_, PutItemInput{.item = KeyOf("busy", "2")}}}})
          .status();
  ASSERT_EQ(status.reasons().size(), 2U);
  EXPECT_THAT(status.reasons()[0], IsOk());
  EXPECT_THAT(status.reasons()[1], StatusIs(StatusCode::kProvisionedThroughputExceeded, _));
}

TEST_F(ThroughputTest, AThrottledCallNamesTheLimitThatItExceeds) {
  const Table table = test::Value(db_.CreateTable(
      {.name = "indexed", .global_secondary_indexes = {GlobalSecondaryIndex::Overloaded("GSI1")}}));
  int puts = 0;
  const auto put = [&](std::string_view pk) {
    Item item = KeyOf(pk, "1");
    item["GSI1PK"] = "g";
    item["GSI1SK"] = std::to_string(++puts);  // each put changes the index
    return table.PutItem({.item = item}).status();
  };
  const auto reasons_after_three = [&](const SimulateOptions& options) {
    Simulate(options);
    for (int i = 0; i < 2; ++i) EXPECT_THAT(put("a"), IsOk());
    return put("a").throttling_reasons();
  };
  EXPECT_THAT(reasons_after_three({.throughput = {{.table = "indexed", .write_units = 0.005}}}),
              ElementsAre(ThrottlingReason{"TableWriteProvisionedThroughputExceeded", "indexed"}));
  EXPECT_THAT(
      reasons_after_three({.throughput = {{"indexed", "GSI1", 0, 0.01}}}),
      ElementsAre(ThrottlingReason{"IndexWriteProvisionedThroughputExceeded", "indexed", "GSI1"}));
  EXPECT_THAT(reasons_after_three({.partition_write_units = 1.5}),
              ElementsAre(ThrottlingReason{"TableWriteKeyRangeThroughputExceeded", "indexed"}));
  EXPECT_EQ(TraceText(),
            "PutItem table=indexed key=a call=3 fault=ProvisionedThroughputExceeded "
            "reason=TableWriteKeyRangeThroughputExceeded:indexed\n");

  Simulate(SimulateOptions{.partition_read_units = 0.1});
  const QueryInput query{.index = "GSI1", .key_condition = Partition("g")};
  EXPECT_THAT(table.Query(query), IsOk());
  const Status throttled = table.Query(query).status();
  EXPECT_THAT(
      throttled.throttling_reasons(),
      ElementsAre(ThrottlingReason{"IndexReadKeyRangeThroughputExceeded", "indexed", "GSI1"}));
  Simulate(SimulateOptions{.replay = simulation_.Trace()});
  EXPECT_THAT(table.Query(query), IsOk());
  EXPECT_EQ(table.Query(query).status().throttling_reasons(), throttled.throttling_reasons());
}

TEST_F(ThroughputTest, OutputsHaveOnlyTheCapacityThatTheCallerAskedFor) {
  Simulate(SimulateOptions{.partition_read_units = 100});
  const auto consumed = [this](ReturnConsumedCapacity asked) {
    return test::Value(table_.Query({.key_condition = Partition("p"),
                                     .options = {.return_consumed_capacity = asked}}))
        .consumed_capacity();
  };
  EXPECT_EQ(consumed(ReturnConsumedCapacity::kNone), std::nullopt);
  const ConsumedCapacity total{.table_name = "app", .total = {.read_units = 0.5}};
  EXPECT_EQ(consumed(ReturnConsumedCapacity::kTotal), total);
  EXPECT_EQ(consumed(ReturnConsumedCapacity::kIndexes)->table.read_units, 0.5);
}

TEST_F(ThroughputTest, AReplayRepeatsTheThrottlingWithoutTheLimits) {
  SimulateOptions options{.throughput = {{.table = "app", .write_units = 1}}};
  Simulate(options);
  EXPECT_EQ(PutUntilThrottled(table_, "a"), 300);
  options.replay = simulation_.Trace();
  Simulate(options);
  EXPECT_EQ(PutUntilThrottled(table_, "a"), 300);
  EXPECT_THAT(Put("a", "1"), IsOk());
}

}  // namespace
}  // namespace dolmen::simulate
