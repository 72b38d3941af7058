// Items with equal keys of an index, in an order that the seed of a simulation determines.

#include <algorithm>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "tests/simulate/fixture.h"

namespace dolmen::simulate {
namespace {

using test::Value;
using Keys = std::vector<std::string>;

constexpr std::size_t kItems = 24;

class EqualKeysTest : public SimulateTest {
 protected:
  EqualKeysTest() {
    for (std::size_t i = 0; i < kItems; ++i) EXPECT_THAT(ties_.PutItem({.item = Tie(i)}), IsOk());
    Simulate(SimulateOptions{.shuffle_equal_keys = true});
  }

  // Returns an item. Its two partitions of GSI1 have two sort keys each, so six items share a pair of
  // index keys. All items of a partition of the table share an index key of "byState".
  static Item Tie(std::size_t i, std::size_t bytes = 0) {
    return {{"PK", std::string(1, i < kItems / 2 ? 'a' : 'b')},
            {"SK", std::string(1, static_cast<char>('A' + i))},
            {"GSI1PK", i % 4 < 2 ? "even" : "odd"},
            {"GSI1SK", i % 2 == 0 ? "1" : "2"},
            {"state", "open"},
            {"number", static_cast<std::int64_t>(i)},
            {"body", std::string(bytes, 'x')}};
  }

  // Returns the sort keys of the items on all pages.
  template <typename Input>
  Keys All(const Input& input) const {
    return test::SortKeys(ties_, input);
  }

  // Returns queries that find several items with equal index keys.
  static std::vector<QueryInput> Queries() {
    QueryInput filtered{.index = "GSI1", .key_condition = Partition("odd")};
    filtered.filter = Attr("number") < 13;
    return {
        {.index = "GSI1", .key_condition = Partition("even")},
        {.index = "GSI1", .key_condition = Partition("odd", BeginsWith("2"))},
        std::move(filtered),
        {.index = "byStateOnly", .key_condition = Partition("open")},
        {.index = "byState", .key_condition = Partition("a"), .select = Select::kAllAttributes}};
  }

  Table ties_ = Value(db_.CreateTable(
      {.name = "ties",
       .global_secondary_indexes = {GlobalSecondaryIndex::Overloaded("GSI1"),
                                    {.name = "byStateOnly", .partition_key = {{"state"}}}},
       .local_secondary_indexes = {
           {.name = "byState", .sort_key = {"state"}, .projection = ProjectionType::kKeysOnly}}}));
};

TEST_F(EqualKeysTest, TheSeedDeterminesTheOrderOfItemsWithEqualIndexKeys) {
  for (const QueryInput& query : Queries()) {
    Simulate(SimulateOptions{.shuffle_equal_keys = true});
    const Keys keys = All(query);
    EXPECT_EQ(All(query), keys);
    Simulate(SimulateOptions{.seed = 1, .shuffle_equal_keys = true});
    const Keys others = All(query);
    EXPECT_NE(others, keys);
    Simulate(SimulateOptions());
    const Keys sorted = All(query);
    EXPECT_NE(keys, sorted);
    EXPECT_NE(others, sorted);
    EXPECT_TRUE(std::ranges::is_permutation(keys, sorted));
    EXPECT_TRUE(std::ranges::is_permutation(others, sorted));
  }
}

TEST_F(EqualKeysTest, ItemsWithDifferentIndexKeysStaySorted) {
  Keys sort_keys;
  const QueryInput query{.index = "GSI1", .key_condition = Partition("even")};
  for (const ItemView item : Value(ties_.Query(query))) {
    sort_keys.emplace_back(*item["GSI1SK"].AsString());
  }
  EXPECT_EQ(sort_keys.size(), kItems / 2);
  EXPECT_TRUE(std::ranges::is_sorted(sort_keys));
}

TEST_F(EqualKeysTest, PagesOfEveryLengthHaveTheSameOrderInBothDirections) {
  for (QueryInput query : Queries()) {
    const Keys keys = All(query);
    Keys reversed(keys.rbegin(), keys.rend());
    for (std::uint32_t limit = 1; limit <= kItems + 1; ++limit) {
      query.limit = limit;
      query.exact_end = limit % 2 == 0;
      query.forward = true;
      EXPECT_EQ(All(query), keys) << limit;
      query.forward = false;
      EXPECT_EQ(All(query), reversed) << limit;
    }
  }
}

TEST_F(EqualKeysTest, PagesOfAScanHaveTheSameOrder) {
  for (const bool hash_order : {false, true}) {
    Simulate(SimulateOptions{.hash_order = hash_order, .shuffle_equal_keys = true});
    for (const char* index : {"GSI1", "byStateOnly", "byState"}) {
      const Keys keys = All(ScanInput{.index = index});
      Simulate(SimulateOptions{.hash_order = hash_order});
      const Keys in_key_order = All(ScanInput{.index = index});
      EXPECT_NE(keys, in_key_order);
      EXPECT_TRUE(std::ranges::is_permutation(keys, in_key_order));
      Simulate(SimulateOptions{.hash_order = hash_order, .shuffle_equal_keys = true});
      for (std::uint32_t limit = 1; limit <= kItems + 1; ++limit) {
        EXPECT_EQ(All(ScanInput{.index = index, .limit = limit}), keys) << limit;
      }
    }
  }
}

TEST_F(EqualKeysTest, TheSegmentsOfAScanTogetherHaveEachItemOnce) {
  for (const bool hash_order : {false, true}) {
    Simulate(SimulateOptions{.hash_order = hash_order, .shuffle_equal_keys = true});
    for (std::uint32_t limit = 1; limit <= kItems + 1; ++limit) {
      Keys all;
      for (std::uint32_t segment = 0; segment < 3; ++segment) {
        const Keys part = All(
            ScanInput{.index = "GSI1", .limit = limit, .segment = segment, .total_segments = 3});
        all.insert(all.end(), part.begin(), part.end());
      }
      EXPECT_TRUE(std::ranges::is_permutation(all, All(ScanInput{.index = "GSI1"}))) << limit;
    }
  }
}

TEST_F(EqualKeysTest, AReadContinuesAfterAnItemThatWasDeleted) {
  const QueryInput query{.index = "byStateOnly", .key_condition = Partition("open")};
  const Keys keys = All(query);
  QueryInput page = query;
  page.limit = 5;
  const Item start = Value(ties_.Query(page)).last_evaluated_key();
  ASSERT_THAT(ties_.DeleteItem({.key = {{"PK", start.at("PK")}, {"SK", start.at("SK")}}}), IsOk());
  QueryInput rest = query;
  rest.exclusive_start_key = start;
  EXPECT_EQ(All(rest), Keys(keys.begin() + 5, keys.end()));
  rest.forward = false;
  EXPECT_EQ(All(rest), Keys(keys.rend() - 4, keys.rend()));
}

TEST_F(EqualKeysTest, PagesThatEndByTheirSizeHaveTheSameOrder) {
  const QueryInput query{.index = "byStateOnly", .key_condition = Partition("open")};
  const Keys keys = All(query);
  for (std::size_t i = 0; i < kItems; ++i) {
    ASSERT_THAT(ties_.PutItem({.item = Tie(i, 150'000)}), IsOk());
  }
  EXPECT_EQ(Value(ties_.Query(query)).count(), 7U) << "1 MB";
  EXPECT_EQ(All(query), keys);
  Simulate(SimulateOptions{
      .rules =
          {{.fault = Fault::kPageBytes, .chance = 0.5, .amount_min = 1, .amount_max = 400'000}},
      .shuffle_equal_keys = true});
  EXPECT_EQ(All(query), keys);
}

TEST_F(EqualKeysTest, TheItemsOfATableStaySorted) {
  const Keys keys = All(QueryInput{.key_condition = Partition("a")});
  EXPECT_EQ(keys.size(), kItems / 2);
  EXPECT_TRUE(std::ranges::is_sorted(keys));
}

}  // namespace
}  // namespace dolmen::simulate
