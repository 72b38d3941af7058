// Tests that no read-modify-write update is lost, with many threads.

#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <optional>
#include <string>

#include "dolmen/dolmen.h"
#include "tests/concurrent/threads.h"
#include "tests/support/random.h"
#include "tests/support/status_matchers.h"
#include "tests/support/temp_directory.h"

namespace dolmen::test {
namespace {

constexpr std::size_t kIncrementsPerThread = 1'000;
constexpr std::size_t kCounters = 3;

Item CounterKey(std::size_t counter) {
  return {{"PK", "counters"}, {"SK", "counter " + std::to_string(counter)}};
}

class CountersTest : public SeededTest {
 protected:
  // Each thread increments random counters, and counts its increments of each counter.
  void IncrementTogether(const Table& table, const UpdateItemInput& increment) {
    std::array<std::array<std::int64_t, kCounters>, kThreads> done{};
    RunTogether(kThreads, [&](std::size_t thread) {
      Random random(TestSeed() + thread);
      for (std::size_t i = 0; i < kIncrementsPerThread; ++i) {
        const std::size_t counter = random.Below(kCounters);
        UpdateItemInput input = increment;
        input.key = CounterKey(counter);
        ASSERT_THAT(table.UpdateItem(input), IsOk());
        ++done[thread][counter];
      }
    });
    for (std::size_t counter = 0; counter < kCounters; ++counter) {
      std::int64_t expected = 0;
      for (const auto& of_thread : done) expected += of_thread[counter];
      const auto read = table.GetItem({.key = CounterKey(counter)});
      ASSERT_THAT(read, IsOk());
      ASSERT_TRUE(read->item.has_value());
      EXPECT_EQ((*read->item)["n"].AsInt64(), expected);
      ExpectIndexHolds(table, counter, expected);
    }
  }

  // The index sorts by the counter, so each increment moves the item's index entry.
  static void ExpectIndexHolds(const Table& table, std::size_t counter, std::int64_t expected) {
    const auto page =
        table.Query({.index = "by_n", .key_condition = Partition(CounterKey(counter).at("SK"))});
    ASSERT_THAT(page, IsOk());
    ASSERT_EQ(page->size(), 1u);
    EXPECT_EQ((*page)[0]["n"].AsInt64(), expected);
  }

  static Result<Table> MakeTable(Database& db) {
    return db.CreateTable(
        {.name = "counters",
         .global_secondary_indexes = {{.name = "by_n",
                                       .partition_key = {{.name = "SK"}},
                                       .sort_key = {{.name = "n", .type = AttributeType::kN}}}}});
  }

  const UpdateItemInput set_{.update = "SET n = if_not_exists(n, :zero) + :one",
                             .values = {{":zero", 0}, {":one", 1}}};
  const UpdateItemInput add_{.update = "ADD n :one", .values = {{":one", 1}}};
};

TEST_F(CountersTest, NoIncrementIsLostInMemory) {
  auto db = Database::InMemory();
  ASSERT_THAT(db, IsOk());
  auto table = MakeTable(*db);
  ASSERT_THAT(table, IsOk());
  IncrementTogether(*table, set_);
}

TEST_F(CountersTest, NoIncrementIsLostOnDisk) {
  TempDirectory directory;
  auto db = Database::Open(directory / "db", {.durability = Durability::kBuffered});
  ASSERT_THAT(db, IsOk());
  auto table = MakeTable(*db);
  ASSERT_THAT(table, IsOk());
  IncrementTogether(*table, add_);
}

}  // namespace
}  // namespace dolmen::test
