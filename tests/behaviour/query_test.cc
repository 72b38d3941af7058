// Tests of Query beyond the rules of query_rules_test.cc and key_condition_rules_test.cc. tests/property
// tests the orders and ranges of all key types.
// https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_Query.html

#include <string>

#include "tests/behaviour/fixture.h"

namespace dolmen::behaviour {
namespace {

class QueryTest : public TableTest {
 protected:
  // Creates a partition of five items. Their sort keys are "a" to "e", and their attribute "n" is 1
  // to 5. Returns the partition key.
  static std::string Five() {
    const std::string partition = UniqueKey();
    for (int i = 0; i < 5; ++i) {
      Put({{"PK", partition}, {"SK", std::string(1, static_cast<char>('a' + i))}, {"n", i + 1}});
    }
    return partition;
  }
};

// Dolmen's extension: no LastEvaluatedKey if nothing follows.
TEST_F(QueryTest, AnExactEndHasAKeyOnlyIfAnItemFollows) {
  const std::string partition = Five();
  for (const bool forward : {true, false}) {
    for (const std::uint32_t limit : {4, 5, 6}) {
      const auto page = table().Query({.key_condition = Partition(partition),
                                       .forward = forward,
                                       .limit = limit,
                                       .exact_end = true});
      ASSERT_THAT(page, IsOk());
      EXPECT_EQ(page->size(), std::min(limit, 5u));
      EXPECT_EQ(page->last_evaluated_key().empty(), limit >= 5) << limit << " " << forward;
    }
  }
}

// The third query of a range reads the row cache.
TEST_F(QueryTest, ScannedBytesCountItemsBeforeTheFilterAndTheProjection) {
  const QueryInput all = {.key_condition = Partition(Five())};
  QueryInput some = all;
  some.filter = "n = :n";
  some.projection = "n";
  some.values = {{":n", 2}};
  for (int i = 0; i < 3; ++i) {
    const auto page = table().Query(all);
    ASSERT_THAT(page, IsOk());
    std::uint64_t bytes = 0;
    for (const ItemView item : *page) bytes += item.size_bytes();
    EXPECT_EQ(page->scanned_bytes(), bytes);
    const auto filtered = table().Query(some);
    ASSERT_THAT(filtered, IsOk());
    EXPECT_EQ(filtered->size(), 1u);
    EXPECT_EQ(filtered->scanned_bytes(), bytes);
  }
}

}  // namespace
}  // namespace dolmen::behaviour
