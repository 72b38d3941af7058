// Tests of a Query over all shards of a write-sharded key. The Query returns the shards' items as
// one partition.
// https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/bp-partition-key-sharding.html

#include <algorithm>
#include <string>
#include <vector>

#include "tests/behaviour/fixture.h"

namespace dolmen::behaviour {
namespace {

class ShardedQueryTest : public TableTest {
 protected:
  static constexpr int kShards = 10;

  void SetUp() override {
    name_ = UniqueKey();
    for (int i = 0; i < 60; ++i) {
      // The sort keys are 100 to 129. Each of them occurs in two shards.
      const std::string sort = std::to_string(100 + i / 2);
      Put({{"PK", Shard((i * 7) % kShards)},
           {"SK", sort},
           {"i", i},
           {"GSI1PK", Shard(i % kShards)},
           {"GSI1SK", sort}});
    }
  }

  std::string Shard(int i) const { return name_ + "#" + std::to_string(i); }

  QueryInput All() const {
    std::vector<AttributeValue> keys;
    for (int i = kShards - 1; i >= 0; --i) keys.emplace_back(Shard(i));
    return {.key_condition = Partitions(keys)};
  }

  // Returns the sort key and the partition key of each item on all pages.
  static std::vector<std::string> Keys(const QueryInput& input) {
    std::vector<std::string> keys;
    test::VisitItems(table(), input, [&](ItemView item) {
      keys.push_back(std::string(*item["SK"].AsString()) + " in " +
                     std::string(*item["PK"].AsString()));
    });
    return keys;
  }

  std::string name_;
};

// Items with equal sort keys are in the order of their partition keys.
TEST_F(ShardedQueryTest, MergesTheShardsInSortKeyOrder) {
  const std::vector<std::string> keys = Keys(All());
  EXPECT_EQ(keys.size(), 60u);
  EXPECT_TRUE(std::is_sorted(keys.begin(), keys.end()));
}

TEST_F(ShardedQueryTest, OneStartKeyResumesTheQueryOfAllShards) {
  for (const bool forward : {true, false}) {
    QueryInput input = All();
    input.forward = forward;
    std::vector<std::string> whole = Keys(input);
    ASSERT_EQ(whole.size(), 60u);
    EXPECT_TRUE(forward ? std::is_sorted(whole.begin(), whole.end())
                        : std::is_sorted(whole.rbegin(), whole.rend()));
    for (const std::uint32_t limit : {1u, 2u, 7u, 60u}) {
      input.limit = limit;
      EXPECT_EQ(Keys(input), whole) << limit;
    }
  }
}

TEST_F(ShardedQueryTest, MergesTheShardsOfAnIndex) {
  QueryInput input = All();
  input.index = "GSI1";
  input.limit = 7;
  const std::vector<std::string> forward = Keys(input);
  EXPECT_EQ(forward.size(), 60u);
  input.forward = false;
  std::vector<std::string> backward = Keys(input);
  std::reverse(backward.begin(), backward.end());
  EXPECT_EQ(backward, forward);
}

TEST_F(ShardedQueryTest, TakesASortKeyConditionAndAFilter) {
  QueryInput input = All();
  std::get<Partitions>(input.key_condition).sort_key = Between("105", "109");
  EXPECT_EQ(Keys(input).size(), 10u);
  input.filter = "i < :n";
  input.values = {{":n", 15}};
  input.limit = 3;
  EXPECT_EQ(Keys(input).size(), 5u);
}

TEST_F(ShardedQueryTest, AQueryOfOneShardEqualsAQueryOfItsPartition) {
  QueryInput input{.key_condition = Partitions({Shard(3)})};
  EXPECT_EQ(Keys(input), Keys({.key_condition = Partition(Shard(3))}));
}

// DynamoDB needs one Query for each partition. One sharded query consumes as much capacity as all
// these queries together.
TEST_F(ShardedQueryTest, ConsumesTheCapacityOfOneQueryPerPartition) {
  QueryInput input = All();
  input.options.return_consumed_capacity = ReturnConsumedCapacity::kTotal;
  const auto page = table().Query(input);
  ASSERT_THAT(page, IsOk());
  ASSERT_TRUE(page->consumed_capacity().has_value());
  EXPECT_EQ(page->consumed_capacity()->total.read_units, 0.5 * kShards);
}

TEST_F(ShardedQueryTest, RejectsInvalidSetsOfPartitions) {
  QueryInput input = All();
  std::get<Partitions>(input.key_condition).keys.emplace_back(Shard(4));
  EXPECT_THAT(table().Query(input), StatusIs(kValidation, HasSubstr("once")));
  EXPECT_THAT(table().Query({.key_condition = Partitions({1})}),
              StatusIs(kValidation, HasSubstr("does not match schema type")));
  std::vector<AttributeValue> many;
  for (int i = 0; i < 101; ++i) many.emplace_back(Shard(i));
  EXPECT_THAT(table().Query({.key_condition = Partitions(many)}),
              StatusIs(kValidation, HasSubstr("100")));
}

TEST_F(ShardedQueryTest, RejectsAStartKeyInNoneOfItsPartitions) {
  QueryInput input = All();
  input.exclusive_start_key = {{"PK", "elsewhere"}, {"SK", "100"}};
  EXPECT_THAT(table().Query(input), StatusIs(kValidation, HasSubstr("outside query boundaries")));
}

}  // namespace
}  // namespace dolmen::behaviour
