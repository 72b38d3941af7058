// Tests of the meter that adds up the capacity of access patterns.

#include <dolmen/entity.h>
#include <dolmen/entity/cost_meter.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <thread>
#include <vector>

#include "tests/entity/fixture.h"

namespace dolmen::hotel {
namespace {

using testing::DoubleNear;
using testing::SizeIs;

class CostMeterTest : public EntityTest {
 protected:
  CostMeterTest() : measured_(table().database(), table().table(), meter_.observer()) {}

  // Creates a room, which writes its item and an entry of GSI1.
  void CreateRoom(int number) const {
    const auto pattern = meter_.Measure("add a room");
    Value(measured_.Create(Room{.hotel_id = "h1", .number = number, .price = 80}));
  }
  // Reads a room, and all rooms of its kind through GSI1.
  void ReadRoom() const {
    const auto pattern = meter_.Measure("show a room");
    Value(measured_.Find(Room{.hotel_id = "h1", .number = 1}));
    Value(measured_.Query<Room>("GSI1").With<&Room::kind>(RoomKind{}).All());
  }

  const CostMeter meter_;
  const EntityTable measured_;
};

TEST_F(CostMeterTest, CallsOfAPatternAddUp) {
  CreateRoom(1);
  CreateRoom(2);
  ReadRoom();
  const std::vector<PatternCost> costs = meter_.Costs();
  ASSERT_THAT(costs, SizeIs(2));
  EXPECT_EQ(costs[0].pattern, "add a room");
  EXPECT_EQ(costs[0].calls, 2u);
  EXPECT_EQ(costs[0].requests, 2u);
  EXPECT_EQ(costs[0].total, (Capacity{.write_units = 4}));
  EXPECT_EQ(costs[0].table, (Capacity{.write_units = 2}));
  EXPECT_EQ(costs[0].indexes.at("GSI1"), (Capacity{.write_units = 2}));
  EXPECT_EQ(costs[1].pattern, "show a room");
  EXPECT_EQ(costs[1].requests, 2u);
  EXPECT_EQ(costs[1].total, (Capacity{.read_units = 1}));
}

TEST_F(CostMeterTest, TheTableShowsTheAverageCall) {
  CreateRoom(1);
  CreateRoom(2);
  ReadRoom();
  EXPECT_EQ(meter_.ToMarkdown(),
            "| Access pattern | Calls | Requests | Units | of these, indexes |\n"
            "|---|---|---|---|---|\n"
            "| add a room | 2 | 1 | 2 write | GSI1: 1 write |\n"
            "| show a room | 1 | 2 | 1 read | GSI1: 0.5 read |\n");
}

TEST_F(CostMeterTest, ARequestOutsideOfACallCountsForItsOperation) {
  Value(measured_.Find(TheRoom()));
  ASSERT_THAT(meter_.Costs(), SizeIs(1));
  EXPECT_EQ(meter_.Costs()[0].pattern, "GetItem");
  EXPECT_EQ(meter_.Costs()[0].calls, 1u);
}

TEST_F(CostMeterTest, TheInnermostCallOfTheThreadCounts) {
  const CostMeter other;
  const auto outer = meter_.Measure("outer");
  {
    const auto inner = meter_.Measure("inner");
    const auto foreign = other.Measure("of another meter");
    Value(measured_.Find(TheRoom()));
  }
  std::jthread([&] { Value(measured_.Find(TheRoom())); }).join();
  std::vector<std::string> patterns;
  for (const PatternCost& cost : meter_.Costs()) {
    patterns.push_back(cost.pattern + " " + std::to_string(cost.requests));
  }
  EXPECT_THAT(patterns, ElementsAre("GetItem 1", "inner 1", "outer 0"));
  EXPECT_EQ(other.Costs()[0].requests, 0u);
}

TEST_F(CostMeterTest, AMonthCostsTheCallsTimesThePrices) {
  CreateRoom(1);
  CreateRoom(2);
  ReadRoom();
  const UnitPrices prices = {
      .million_reads = 0.125, .million_writes = 0.625, .read_unit_hour = 1, .write_unit_hour = 10};
  // 0.6 calls a second write 1.2 units, half of them to the index: one provisioned unit for each of
  // both. 3 calls a second read 3 units, half of them from the index: two units for each.
  const MonthlyCost month = Value(meter_.Month(prices, {{"add a room", 0.6}, {"show a room", 3}}));
  EXPECT_THAT(month.per_second.write_units, DoubleNear(1.2, 1e-9));
  EXPECT_THAT(month.per_second.read_units, DoubleNear(3, 1e-9));
  EXPECT_THAT(month.on_demand, DoubleNear(730 * 3600 / 1e6 * (3 * 0.125 + 1.2 * 0.625), 1e-9));
  EXPECT_THAT(month.provisioned, DoubleNear(730 * (2 * 10 + 4 * 1), 1e-9));
}

TEST_F(CostMeterTest, AMonthNeedsKnownPatternsAndRates) {
  ReadRoom();
  EXPECT_THAT(meter_.Month({}, {{"rename a room", 1}}),
              StatusIs(kValidation, HasSubstr("\"rename a room\" was never called")));
  EXPECT_THAT(meter_.Month({}, {{"show a room", -1}}),
              StatusIs(kValidation, HasSubstr("a rate of 0 or more")));
}

}  // namespace
}  // namespace dolmen::hotel
