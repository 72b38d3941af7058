// Tests of ExclusiveStartKey: the start of a page, and the start keys that Query rejects.

#include <string>

#include "tests/behaviour/fixture.h"

namespace dolmen::behaviour {
namespace {

class StartKeyTest : public TableTest {
 protected:
  static Result<QueryOutput> From(const Item& start, std::optional<SortKeyCondition> sort = {}) {
    return table().Query(
        {.key_condition = Partition("start", std::move(sort)), .exclusive_start_key = start});
  }
};

// The item of the start key may have been deleted. Query reads the items that follow the start key,
// in either direction.
TEST_F(StartKeyTest, AStartKeyNeedNotExist) {
  const std::string partition = UniqueKey();
  for (const char* sort : {"a", "c", "e"}) Put({{"PK", partition}, {"SK", sort}});
  const Item gone = {{"PK", partition}, {"SK", "c2"}};
  EXPECT_THAT(SortKeys({.key_condition = Partition(partition), .exclusive_start_key = gone}),
              ElementsAre("e"));
  EXPECT_THAT(
      SortKeys(
          {.key_condition = Partition(partition), .forward = false, .exclusive_start_key = gone}),
      ElementsAre("c", "a"));
}

TEST_F(StartKeyTest, AStartKeyHasExactlyTheKeyAttributes) {
  EXPECT_THAT(From({{"PK", "start"}}),
              StatusIs(kValidation, "The provided starting key is invalid"));
  EXPECT_THAT(From({{"PK", "start"}, {"SK", "s"}, {"x", 1}}),
              StatusIs(kValidation, "The provided starting key is invalid"));
  EXPECT_THAT(From({{"PK", "start"}, {"SK", 1}}),
              StatusIs(kValidation,
                       "The provided starting key is invalid: The provided key element "
                       "does not match the schema"));
}

TEST_F(StartKeyTest, AStartKeyHasNoEmptyValues) {
  const std::string empty =
      "The provided starting key is invalid: One or more parameter values are not valid. The "
      "AttributeValue for a key attribute cannot contain an empty string value. Key: ";
  EXPECT_THAT(From({{"PK", ""}, {"SK", "s"}}), StatusIs(kValidation, empty + "PK"));
  EXPECT_THAT(From({{"PK", "start"}, {"SK", ""}}), StatusIs(kValidation, empty + "SK"));
}

TEST_F(StartKeyTest, AStartKeyLiesInTheQueriedRange) {
  EXPECT_THAT(From({{"PK", "other"}, {"SK", "s"}}),
              StatusIs(kValidation,
                       "The provided starting key is outside query boundaries based on "
                       "provided conditions"));
  EXPECT_THAT(
      From({{"PK", "start"}, {"SK", "z"}}, BeginsWith("a")),
      StatusIs(kValidation, "The provided starting key does not match the range key predicate"));
}

TEST_F(StartKeyTest, AStartKeyOfAnIndexHasTheIndexKeyAndTheTableKey) {
  const auto from = [](const Item& start) {
    return table().Query(
        {.index = "GSI1", .key_condition = Partition("u"), .exclusive_start_key = start});
  };
  EXPECT_THAT(from({{"GSI1PK", "u"}, {"GSI1SK", "x"}}),
              StatusIs(kValidation, "The provided starting key is invalid"));
  EXPECT_THAT(from({{"GSI1PK", "u"}, {"GSI1SK", 1}, {"PK", "p"}, {"SK", "s"}}),
              StatusIs(kValidation, "The provided key element does not match the schema"));
  EXPECT_THAT(from({{"GSI1PK", "u"}, {"GSI1SK", "x"}, {"PK", "p"}, {"SK", "s"}}), IsOk());
}

// In a table without a sort key, a partition holds at most one item, so no item can follow a start
// key. An index can hold several items with one key. Two partitions can hold two items.
TEST_F(StartKeyTest, AQueryOfAtMostOneItemHasNoStartKey) {
  const auto single = database().CreateTable(
      {.name = "hash-only",
       .sort_key = std::nullopt,
       .global_secondary_indexes = {{.name = "by_kind", .partition_key = {{"kind"}}}}});
  ASSERT_THAT(single, IsOk());
  for (const char* pk : {"p", "q"}) {
    ASSERT_THAT(single->PutItem({.item = {{"PK", pk}, {"kind", "k"}}}), IsOk());
  }
  for (const char* start : {"p", "q"}) {
    EXPECT_THAT(
        single->Query({.key_condition = Partition("p"), .exclusive_start_key = {{"PK", start}}}),
        StatusIs(kValidation, "The provided exclusive start key is invalid"));
  }
  EXPECT_THAT(single->Query({.key_condition = Partition("p"), .exclusive_start_key = {{"PK", 1}}}),
              StatusIs(kValidation, HasSubstr("does not match the schema")));
  const auto count = [&](QueryInput input) {
    input.limit = 1;
    std::size_t items = 0;
    do {
      const auto page = single->Query(input);
      EXPECT_THAT(page, IsOk());
      if (!page.ok()) break;
      items += page->size();
      input.exclusive_start_key = page->last_evaluated_key();
    } while (!input.exclusive_start_key.empty());
    return items;
  };
  EXPECT_EQ(count({.key_condition = Partition("p")}), 1u) << "the page has no LastEvaluatedKey";
  EXPECT_EQ(count({.key_condition = Partitions({"p", "q"})}), 2u);
  EXPECT_EQ(count({.index = "by_kind", .key_condition = Partition("k")}), 2u);
}

}  // namespace
}  // namespace dolmen::behaviour
