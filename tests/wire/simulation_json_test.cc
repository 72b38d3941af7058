// Tests of the reader of simulations in JSON.

#include "dolmen/testing/simulation_json.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <string>

#include "tests/support/status_matchers.h"
#include "tests/support/value.h"

namespace dolmen::test {
namespace {

using testing::HasSubstr;

TEST(SimulationJsonTest, ReadsEveryMember) {
  const SimulateOptions options = Value(ParseSimulation(R"({
      "Seed": 18446744073709551615,
      "Rules": [{}, {"Table": "orders", "Index": "byCustomer", "Operation": "PutItem",
                     "KeyPrefix": "ORDER#", "Fault": "InternalServerError", "Moment": "After",
                     "Chance": 0.2, "SkipCalls": 1, "CallsMax": 2, "AmountMin": 3, "AmountMax": 4}],
      "Throughput": [{"Table": "orders", "Index": "byCustomer", "ReadUnits": 5,
                      "WriteUnits": 6.5}],
      "PartitionReadUnits": 3000, "PartitionWriteUnits": 1000,
      "ReadLagMilliseconds": 500, "HashOrder": true, "ShuffleEqualKeys": true,
      "StreamShards": 4, "ShardLifetimeMilliseconds": 60000, "ItemCollectionBytes": 9, "Latency": "Sleep",
      "Delays": {"CreateTableMilliseconds": 1, "UpdateTableMilliseconds": 2,
                 "DeleteTableMilliseconds": 3, "CreateIndexMilliseconds": 4,
                 "TimeToLiveMilliseconds": 5},
      "Replay": ["PutItem table=a call=2 fault=HalfResponse after", "Scan fault=PageItems amount=1"]
    })"));
  EXPECT_EQ(options.seed, UINT64_MAX);
  ASSERT_EQ(options.rules.size(), 2);
  EXPECT_EQ(options.rules[0].fault, SimulatedFault::kThrottling) << "the default of the field";
  const SimulateRule& rule = options.rules[1];
  EXPECT_EQ(rule.table, "orders");
  EXPECT_EQ(rule.index, "byCustomer");
  EXPECT_EQ(rule.operation, SimulatedOperation::kPutItem);
  EXPECT_EQ(rule.key_prefix, "ORDER#");
  EXPECT_EQ(rule.fault, SimulatedFault::kInternalServerError);
  EXPECT_EQ(rule.moment, FaultMoment::kAfter);
  EXPECT_EQ(rule.chance, 0.2);
  EXPECT_EQ(rule.skip_calls, 1);
  EXPECT_EQ(rule.calls_max, 2);
  EXPECT_EQ(rule.amount_min, 3);
  EXPECT_EQ(rule.amount_max, 4);
  ASSERT_EQ(options.throughput.size(), 1);
  EXPECT_EQ(options.throughput[0].table, "orders");
  EXPECT_EQ(options.throughput[0].index, "byCustomer");
  EXPECT_EQ(options.throughput[0].read_units, 5);
  EXPECT_EQ(options.throughput[0].write_units, 6.5);
  EXPECT_EQ(options.partition_read_units, 3000);
  EXPECT_EQ(options.partition_write_units, 1000);
  EXPECT_EQ(options.read_lag, std::chrono::milliseconds(500));
  EXPECT_TRUE(options.hash_order);
  EXPECT_TRUE(options.shuffle_equal_keys);
  EXPECT_EQ(options.stream_shards, 4);
  EXPECT_EQ(options.shard_lifetime, std::chrono::minutes(1));
  EXPECT_EQ(options.item_collection_bytes, 9);
  using std::chrono::milliseconds;
  EXPECT_EQ(options.delays, (SimulatedDelays{milliseconds(1), milliseconds(2), milliseconds(3),
                                             milliseconds(4), milliseconds(5)}));
  EXPECT_EQ(options.latency, SimulatedLatency::kSleep);
  ASSERT_TRUE(options.replay.has_value());
  EXPECT_EQ(ToText(*options.replay),
            "PutItem table=a call=2 fault=HalfResponse after\n"
            "Scan call=1 fault=PageItems amount=1\n");
}

TEST(SimulationJsonTest, AMemberThatIsAbsentOrNullHasItsDefault) {
  for (const char* const json : {"{}", R"({"Seed":null,"Rules":null,"Replay":null})"}) {
    const SimulateOptions options = Value(ParseSimulation(json));
    EXPECT_EQ(options.seed, 0);
    EXPECT_TRUE(options.rules.empty());
    EXPECT_FALSE(options.replay.has_value());
  }
  EXPECT_TRUE(Value(ParseSimulation(R"({"Replay":[]})")).replay.has_value());
}

TEST(SimulationJsonTest, EveryFaultAndOperationHasItsName) {
  for (const std::string_view name : SimulatedFaultNames()) {
    const std::string json = R"({"Rules":[{"Fault":")" + std::string(name) + R"("}]})";
    EXPECT_EQ(SimulatedFaultName(Value(ParseSimulation(json)).rules[0].fault), name);
  }
  for (const std::string_view name : SimulatedOperationNames()) {
    const std::string json = R"({"Rules":[{"Operation":")" + std::string(name) + R"("}]})";
    EXPECT_EQ(SimulatedOperationName(*Value(ParseSimulation(json)).rules[0].operation), name);
  }
}

TEST(SimulationJsonTest, AnErrorNamesTheMemberAndItsPosition) {
  const struct {
    const char* json;
    const char* says;
  } cases[] = {
      {"", "the simulation is not JSON: "},
      {"{", "the simulation is not JSON: "},
      {"[]", "the simulation must be an object"},
      {R"({"seed":1})", "rejected: seed is unknown; the members are Seed, Rules, Throughput, "},
      {R"({"Seed":-1})", "rejected: Seed must be a whole number of at least 0"},
      {R"({"Seed":1.5})", "Seed must be a whole number"},
      {R"({"Seed":"1"})", "Seed must be a whole number"},
      {R"({"Rules":{}})", "Rules must be a list"},
      {R"({"Rules":[{},7]})", "Rules[1] must be an object"},
      {R"({"Rules":[{},{"Chanse":1}]})", "Rules[1].Chanse is unknown; the members are Table, "},
      {R"({"Rules":[{"Chance":"often"}]})", "Rules[0].Chance must be a number"},
      {R"({"Rules":[{"Chance":-0.1}]})", "Rules[0].Chance must be a number of at least 0"},
      {R"({"Rules":[{"Table":7}]})", "Rules[0].Table must be a string"},
      {R"({"Rules":[{"Fault":"Rain"}]})", "Rules[0].Fault must be one of ProvisionedThroughputEx"},
      {R"({"Rules":[{"Fault":7}]})", "Rules[0].Fault must be one of"},
      {R"({"Rules":[{"Operation":"CreateTable"}]})", "Rules[0].Operation must be one of GetItem, "},
      {R"({"Rules":[{"Moment":"after"}]})", "Rules[0].Moment must be one of Before, After"},
      {R"({"Throughput":[{"Units":1}]})", "Throughput[0].Units is unknown"},
      {R"({"PartitionReadUnits":true})", "PartitionReadUnits must be a number"},
      {R"({"ReadLagMilliseconds":99999999999999})", "ReadLagMilliseconds must be at most"},
      {R"({"Latency":"Skip"})", "Latency must be one of AdvanceClock, Sleep"},
      {R"({"Replay":["Scan fault=PageItems","Jump"]})", "Replay[1]: The line is not a decision"},
      {R"({"Replay":[7]})", "Replay[0] must be a string"},
  };
  for (const auto& [json, says] : cases) {
    EXPECT_THAT(ParseSimulation(json), StatusIs(StatusCode::kValidation, HasSubstr(says))) << json;
  }
}

}  // namespace
}  // namespace dolmen::test
