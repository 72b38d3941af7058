// Scans that read the partitions in the order of a hash. The model test (tests/model) compares such
// Scans with its reference.

#include <algorithm>
#include <cstdint>

#include "tests/simulate/fixture.h"

namespace dolmen::simulate {
namespace {

class HashOrderTest : public SimulateTest {
 protected:
  HashOrderTest() {
    for (char pk = 'a'; pk <= 'z'; ++pk) {
      for (const char* sk : {"1", "2"}) EXPECT_THAT(Put(std::string(1, pk), sk), IsOk());
    }
    Simulate(SimulateOptions{.hash_order = true});
  }

  // Returns the keys of all items, "a1" and so on, in the order in which the Scan returns them.
  std::vector<std::string> Keys(const ScanInput& input = {}) const {
    std::vector<std::string> keys;
    test::VisitItems(table_, input, [&](ItemView item) {
      keys.push_back(std::string(*item["PK"].AsString()).append(*item["SK"].AsString()));
    });
    return keys;
  }
};

TEST_F(HashOrderTest, TheSeedDeterminesTheOrderOfThePartitions) {
  const std::vector<std::string> keys = Keys();
  EXPECT_EQ(Keys(), keys);
  Simulate(SimulateOptions{.seed = 1, .hash_order = true});
  std::vector<std::string> others = Keys();
  EXPECT_NE(others, keys);
  Simulate(SimulateOptions());
  const std::vector<std::string> sorted = Keys();
  EXPECT_TRUE(std::ranges::is_sorted(sorted));
  EXPECT_NE(keys, sorted);
  std::ranges::sort(others);
  EXPECT_EQ(others, sorted);
}

TEST_F(HashOrderTest, TheItemsOfAPartitionStaySorted) {
  const std::vector<std::string> keys = Keys();
  for (const char* first : {"a1", "m1", "z1"}) {
    const auto found = std::ranges::find(keys, first);
    ASSERT_LT(found - keys.begin(), static_cast<std::ptrdiff_t>(keys.size()) - 1);
    EXPECT_EQ(*(found + 1), std::string({first[0], '2'}));
  }
}

TEST_F(HashOrderTest, PagesOfEveryLengthHaveTheSameOrder) {
  const std::vector<std::string> keys = Keys();
  for (std::uint32_t limit = 1; limit <= keys.size() + 1; ++limit) {
    EXPECT_EQ(Keys({.limit = limit}), keys) << limit;
  }
}

TEST_F(HashOrderTest, TheSegmentsTogetherHaveEachItemOnce) {
  const std::vector<std::string> keys = Keys();
  std::vector<std::string> all;
  for (std::uint32_t segment = 0; segment < 4; ++segment) {
    const std::vector<std::string> part =
        Keys({.limit = 3, .segment = segment, .total_segments = 4});
    EXPECT_LT(part.size(), keys.size());
    all.insert(all.end(), part.begin(), part.end());
  }
  EXPECT_TRUE(std::ranges::is_permutation(all, keys));
}

TEST_F(HashOrderTest, AScanContinuesAfterAPartitionThatWasDeleted) {
  const std::vector<std::string> keys = Keys();
  const QueryOutput first = test::Value(table_.Scan({.limit = 5}));
  for (const char* sk : {"1", "2", "3", "4"}) {
    const Item key = KeyOf(*first.last_evaluated_key().at("PK").get_if<std::string>(), sk);
    ASSERT_THAT(table_.DeleteItem({.key = key}), IsOk());
  }
  const std::vector<std::string> rest = Keys({.exclusive_start_key = first.last_evaluated_key()});
  const std::string deleted = keys[4].substr(0, 1);
  std::vector<std::string> expected(keys.begin() + 5, keys.end());
  std::erase_if(expected, [&](const std::string& key) { return key.starts_with(deleted); });
  EXPECT_EQ(rest, expected);
}

}  // namespace
}  // namespace dolmen::simulate
