// Tests of the capacity meter: how bytes are rounded to units, and how units are summed.

#include "engine/read/capacity.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "tests/engine/keyspaces.h"

namespace dolmen::engine {
namespace {

constexpr std::uint64_t kKilobyte = 1024;

IndexSchema MeteredIndex(std::string name, IndexSchema::Kind kind) {
  return {std::move(name), kFirstIndex, KeySchema({.name = "k"}, std::nullopt), kind};
}

class CapacityMeterTest : public testing::Test {
 protected:
  static CapacityMeter Meter(ReturnConsumedCapacity which = ReturnConsumedCapacity::kIndexes,
                             bool of_transaction = false) {
    return CapacityMeter(which, of_transaction);
  }

  TableSchema table_ = {"app", kTable, KeySchema({.name = "PK"}, std::nullopt)};
  IndexSchema global_ = MeteredIndex("global", IndexSchema::Kind::kGlobal);
  IndexSchema local_ = MeteredIndex("local", IndexSchema::Kind::kLocal);
};

TEST(CapacityUnitsTest, ReadsAreRoundedUpTo4Kilobytes) {
  struct {
    std::uint64_t bytes;
    double units;
  } const cases[] = {{0, 1},
                     {1, 1},
                     {4 * kKilobyte, 1},
                     {4 * kKilobyte + 1, 2},
                     {8 * kKilobyte, 2},
                     {1024 * kKilobyte, 256}};
  for (const auto& [bytes, units] : cases) {
    EXPECT_EQ(ReadUnits(bytes, /*consistent=*/true), units) << bytes;
    EXPECT_EQ(ReadUnits(bytes, /*consistent=*/false), units / 2) << bytes;
  }
}

TEST(CapacityUnitsTest, WritesAreRoundedUpToOneKilobyte) {
  EXPECT_EQ(WriteUnits(0), 1);
  EXPECT_EQ(WriteUnits(kKilobyte), 1);
  EXPECT_EQ(WriteUnits(kKilobyte + 1), 2);
  EXPECT_EQ(WriteUnits(400 * kKilobyte), 400);
}

TEST_F(CapacityMeterTest, CountsNothingIfTheRequestAsksForNone) {
  CapacityMeter meter = Meter(ReturnConsumedCapacity::kNone);
  meter.AddRead(table_, nullptr, 1);
  meter.AddWrite(table_, 0, 1, {});
  EXPECT_FALSE(meter.counts());
  EXPECT_EQ(meter.TakeOne(), std::nullopt);
  EXPECT_TRUE(meter.Take().empty());
}

TEST_F(CapacityMeterTest, AWriteCountsTheLargerItem) {
  for (const auto& [before, after] :
       std::vector<std::pair<std::uint32_t, std::uint32_t>>{{0, 2048}, {2048, 0}, {2048, 1}}) {
    CapacityMeter meter = Meter();
    meter.AddWrite(table_, before, after, {});
    EXPECT_EQ(meter.TakeOne()->table, (Capacity{.write_units = 2})) << before << " " << after;
  }
}

TEST_F(CapacityMeterTest, AnEntryThatMovesCountsADeletionAndAPut) {
  struct {
    IndexChange change;
    double units;
  } const cases[] = {{{&global_, 0, 1025, false}, 2},
                     {{&global_, 1025, 0, false}, 2},
                     {{&global_, 1025, 10, true}, 2},
                     {{&global_, 1025, 10, false}, 3}};
  for (const auto& [change, units] : cases) {
    CapacityMeter meter = Meter();
    meter.AddWrite(table_, 10, 10, {change});
    EXPECT_EQ(meter.TakeOne()->global_secondary_indexes.at("global").write_units, units);
  }
}

TEST_F(CapacityMeterTest, TheSharesOfTableAndIndexesAddUpToTheTotal) {
  CapacityMeter meter = Meter();
  meter.AddRead(table_, nullptr, 0.5);
  meter.AddRead(table_, &local_, 2);
  meter.AddWrite(table_, 0, 1, {{&global_, 0, 1, false}, {&local_, 0, 1, false}});
  const ConsumedCapacity expected = {
      .table_name = "app",
      .total = {.read_units = 2.5, .write_units = 3},
      .table = {.read_units = 0.5, .write_units = 1},
      .global_secondary_indexes = {{"global", {.write_units = 1}}},
      .local_secondary_indexes = {{"local", {.read_units = 2, .write_units = 1}}}};
  EXPECT_EQ(meter.TakeOne(), expected);
}

TEST_F(CapacityMeterTest, TotalLeavesOutTheShares) {
  CapacityMeter meter = Meter(ReturnConsumedCapacity::kTotal);
  meter.AddRead(table_, &global_, 1);
  EXPECT_EQ(meter.TakeOne(), (ConsumedCapacity{.table_name = "app", .total = {.read_units = 1}}));
}

TEST_F(CapacityMeterTest, ATransactionCountsTwice) {
  CapacityMeter meter = Meter(ReturnConsumedCapacity::kIndexes, /*of_transaction=*/true);
  meter.AddRead(table_, nullptr, 1);
  meter.AddWrite(table_, 0, 1, {{&global_, 0, 1, false}});
  EXPECT_EQ(meter.TakeOne()->total, (Capacity{.read_units = 2, .write_units = 4}));
}

TEST_F(CapacityMeterTest, TablesAreListedInTheOrderOfTheirFirstUse) {
  TableSchema other = table_;
  other.name = "a";
  CapacityMeter meter = Meter(ReturnConsumedCapacity::kTotal);
  for (const TableSchema* table : {&table_, &other, &table_}) meter.AddRead(*table, nullptr, 1);
  const std::vector<ConsumedCapacity> tables = meter.Take();
  ASSERT_EQ(tables.size(), 2U);
  EXPECT_EQ(tables[0].table_name, "app");
  EXPECT_EQ(tables[0].total.read_units, 2);
  EXPECT_EQ(tables[1].table_name, "a");
}

}  // namespace
}  // namespace dolmen::engine
