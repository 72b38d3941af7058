// What DescribeTable says of the size of tables that are too large to be counted.

#include "engine/table/content_size.h"

#include <cstdint>
#include <string>

#include "tests/engine/table/engine_tables.h"

namespace dolmen::engine {
namespace {

constexpr std::uint64_t kItems = 4000;

class ContentSizeTest : public EngineTableTest {
 protected:
  void SetUp() override {
    EngineTableTest::SetUp();
    ASSERT_THAT(engine().UpdateTable(
                    {.name = "app", .create_index = GlobalSecondaryIndex::Overloaded("GSI1")}),
                IsOk());
    ASSERT_THAT(engine().backfiller().Wait(live()), IsOk());
    for (std::uint64_t i = 0; i < kItems; ++i) {
      Item item = Key("item-" + std::to_string(i));
      item.emplace("body", std::string(500, 'x'));
      if (i % 4 == 0) {
        item.emplace("GSI1PK", std::to_string(i));
        item.emplace("GSI1SK", "-");
      }
      const auto put = WriteItem(engine().write_context(), live(), PutItemInput{.item = item});
      ASSERT_THAT(put, IsOk());
    }
    ASSERT_THAT(engine().store().Compact(), IsOk());
  }

  TableDescription Count(const CountLimits& limits) {
    TableDescription description = Describe(schema());
    EXPECT_THAT(DescribeContent(engine().store(), schema(), limits, &description), IsOk());
    return description;
  }
};

TEST_F(ContentSizeTest, IsCountedUpToTheLimits) {
  const TableDescription counted = Count({});
  EXPECT_EQ(counted.content.item_count, kItems);
  EXPECT_GT(counted.content.size_bytes, kItems * 500);
  EXPECT_EQ(counted.global_secondary_indexes[0].content.item_count, kItems / 4);
  // The table takes less than its half, and leaves the rest to the index.
  const TableDescription just = Count({.rows = 2 * kItems});
  EXPECT_EQ(just.content.item_count, kItems);
  EXPECT_EQ(just.global_secondary_indexes[0].content.item_count, kItems / 4);
}

TEST_F(ContentSizeTest, IsEstimatedBeyond) {
  const TableDescription exact = Count({});
  const CountLimits by_rows = {.rows = kItems / 2};
  const CountLimits by_bytes = {.bytes = exact.content.size_bytes / 2};
  for (const CountLimits& limits : {by_rows, by_bytes}) {
    const TableDescription estimated = Count(limits);
    const auto near = [](std::uint64_t value, std::uint64_t expected) {
      EXPECT_GT(value, expected / 2);
      EXPECT_LT(value, expected * 2);
    };
    near(estimated.content.item_count, exact.content.item_count);
    near(estimated.content.size_bytes, exact.content.size_bytes);
    near(estimated.global_secondary_indexes[0].content.item_count, kItems / 4);
  }
}

}  // namespace
}  // namespace dolmen::engine
