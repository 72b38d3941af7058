// Tests of Query. tests/property tests the orders and ranges of all key types. start_key_test.cc
// tests rejected start keys.
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

TEST_F(QueryTest, ReadsOnePartitionInSortKeyOrder) {
  const std::string partition = Five();
  EXPECT_THAT(SortKeys({.key_condition = Partition(partition)}),
              ElementsAre("a", "b", "c", "d", "e"));
  EXPECT_THAT(SortKeys({.key_condition = Partition(partition), .forward = false}),
              ElementsAre("e", "d", "c", "b", "a"));
  EXPECT_THAT(SortKeys({.key_condition = Partition(UniqueKey())}), IsEmpty());
}

// A page that ends at its limit has a LastEvaluatedKey, even if no item follows.
TEST_F(QueryTest, EndsAPageAtItsLimit) {
  const std::string partition = Five();
  const auto five = table().Query({.key_condition = Partition(partition), .limit = 5});
  ASSERT_THAT(five, IsOk());
  EXPECT_EQ(five->size(), 5u);
  EXPECT_EQ(five->last_evaluated_key(), (Item{{"PK", partition}, {"SK", "e"}}));
  const auto rest = table().Query({.key_condition = Partition(partition),
                                   .limit = 5,
                                   .exclusive_start_key = five->last_evaluated_key()});
  ASSERT_THAT(rest, IsOk());
  EXPECT_EQ(rest->size(), 0u);
  EXPECT_TRUE(rest->last_evaluated_key().empty());

  const auto six = table().Query({.key_condition = Partition(partition), .limit = 6});
  ASSERT_THAT(six, IsOk());
  EXPECT_TRUE(six->last_evaluated_key().empty());
}

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

// The limit counts items before the filter. A page may be empty without being the last page.
TEST_F(QueryTest, FiltersAfterTheLimit) {
  const std::string partition = Five();
  const auto page = table().Query({.key_condition = Partition(partition),
                                   .filter = "n > :n",
                                   .values = {{":n", 4}},
                                   .limit = 3});
  ASSERT_THAT(page, IsOk());
  EXPECT_EQ(page->count(), 0u);
  EXPECT_EQ(page->scanned_count(), 3u);
  EXPECT_EQ(page->last_evaluated_key(), (Item{{"PK", partition}, {"SK", "c"}}));
  EXPECT_THAT(SortKeys({.key_condition = Partition(partition),
                        .filter = "n > :n",
                        .values = {{":n", 3}},
                        .limit = 2}),
              ElementsAre("d", "e"));
}

TEST_F(QueryTest, SelectCountReturnsNoItems) {
  const auto page = table().Query({.key_condition = Partition(Five()),
                                   .filter = "n <> :n",
                                   .values = {{":n", 2}},
                                   .select = Select::kCount});
  ASSERT_THAT(page, IsOk());
  EXPECT_EQ(page->size(), 0u);
  EXPECT_EQ(page->count(), 4u);
  EXPECT_EQ(page->scanned_count(), 5u);
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

// A page ends with the item that brings the size of the page to 1 MB or more.
TEST_F(QueryTest, EndsAPageAtOneMegabyte) {
  const std::string partition = UniqueKey();
  for (int i = 0; i < 6; ++i) {
    Put({{"PK", partition}, {"SK", std::to_string(i)}, {"body", std::string(300'000, 'x')}});
  }
  const auto page = table().Query({.key_condition = Partition(partition)});
  ASSERT_THAT(page, IsOk());
  EXPECT_EQ(page->size(), 4u);
  EXPECT_FALSE(page->last_evaluated_key().empty());
  EXPECT_EQ(SortKeys({.key_condition = Partition(partition)}).size(), 6u);
  EXPECT_EQ(SortKeys({.key_condition = Partition(partition), .forward = false}).size(), 6u);
}

TEST_F(QueryTest, ProjectsAfterTheFilter) {
  const auto page = table().Query({.key_condition = Partition(Five()),
                                   .filter = "n = :n",
                                   .projection = "SK",
                                   .values = {{":n", 2}}});
  ASSERT_THAT(page, IsOk());
  ASSERT_EQ(page->size(), 1u);
  EXPECT_THAT((*page)[0].Copy(), IsOkAndHolds(Item{{"SK", "b"}}));
}

// If a caller passes a filled page to Query, the page afterwards holds only the items of the new
// Query. After an error the page is empty.
TEST_F(QueryTest, ReplacesTheItemsOfAReusedPage) {
  QueryOutput page;
  ASSERT_THAT(table().Query({.key_condition = Partition(Five())}, &page), IsOk());
  EXPECT_EQ(page.size(), 5u);
  ASSERT_THAT(table().Query({.key_condition = Partition(Five()), .limit = 1}, &page), IsOk());
  EXPECT_EQ(page.size(), 1u);
  EXPECT_THAT(table().Query({.key_condition = Partition(1)}, &page),
              StatusIs(kValidation, testing::_));
  EXPECT_EQ(page.size(), 0u);
  EXPECT_TRUE(page.last_evaluated_key().empty());
}

TEST_F(QueryTest, RejectsAKeyConditionThatDoesNotFitTheKey) {
  EXPECT_THAT(table().Query({}),
              StatusIs(kValidation,
                       "Either the KeyConditions or KeyConditionExpression parameter "
                       "must be specified in the request."));
  EXPECT_THAT(table().Query({.key_condition = "SK = :s", .values = {{":s", "s"}}}),
              StatusIs(kValidation, "Query condition missed key schema element: PK"));
  EXPECT_THAT(table().Query({.key_condition = "PK > :p", .values = {{":p", "p"}}}),
              StatusIs(kValidation, "Query key condition not supported"));
  EXPECT_THAT(
      table().Query({.key_condition = "PK = :p AND n = :n", .values = {{":p", "p"}, {":n", 1}}}),
      StatusIs(kValidation, "Query condition missed key schema element: SK"));
  EXPECT_THAT(table().Query({.key_condition = Partition(5)}),
              StatusIs(kValidation,
                       "One or more parameter values were invalid: Condition parameter "
                       "type does not match schema type"));
  EXPECT_THAT(table().Query({.key_condition = "PK < :p AND a = :p", .values = {{":p", "p"}}}),
              StatusIs(kValidation, "Query key condition not supported"));
  EXPECT_THAT(table().Query({.key_condition = Partition("")}),
              StatusIs(kValidation, HasSubstr("cannot contain an empty string value. Key: PK")));
}

TEST_F(QueryTest, RejectsLimitZeroUnknownIndexesAndCountedProjections) {
  EXPECT_THAT(
      table().Query({.key_condition = Partition("p"), .limit = 0}),
      StatusIs(kValidation, HasSubstr("Member must have value greater than or equal to 1")));
  EXPECT_THAT(table().Query({.index = "nope", .key_condition = Partition("p")}),
              StatusIs(kValidation, "The table does not have the specified index: nope"));
  EXPECT_THAT(
      table().Query({.key_condition = Partition("p"), .projection = "a", .select = Select::kCount}),
      StatusIs(kValidation, HasSubstr("when choosing to get only the Count")));
}

// The key condition selects items by key. The filter is evaluated afterwards and must not name the
// key.
TEST_F(QueryTest, RejectsAFilterOnTheKey) {
  EXPECT_THAT(table().Query(
                  {.key_condition = Partition("p"), .filter = "SK = :s", .values = {{":s", "s"}}}),
              StatusIs(kValidation,
                       "Filter Expression can only contain non-primary key attributes: "
                       "Primary key attribute: SK"));
  EXPECT_THAT(table().Query({.key_condition = Partition("p"), .filter = "SK < PK"}),
              StatusIs(kValidation, HasSubstr("Primary key attribute: PK")));  // PK comes first
}

// Query rejects a path into a key attribute, such as SK.a, because key attributes are scalars.
TEST_F(QueryTest, RejectsPathsIntoKeyAttributes) {
  EXPECT_THAT(table().Query({.key_condition = Partition("p"), .projection = "SK.a"}),
              StatusIs(kValidation, HasSubstr("Key attributes must be scalars")));
  EXPECT_THAT(table().Query({.key_condition = Partition("p"), .projection = "GSI1SK[0]"}),
              StatusIs(kValidation,
                       "Key attributes must be scalars; list random access '[]' and map lookup '.' "
                       "are not allowed: IndexKey: GSI1SK"));
  EXPECT_THAT(
      table().Query(
          {.index = "GSI1", .key_condition = Partition("p"), .filter = "attribute_exists(PK.a)"}),
      StatusIs(kValidation, HasSubstr("are not allowed: Key: PK")));
}

// Query rejects an empty value in a condition on an index key, because no index entry has an empty
// key attribute.
TEST_F(QueryTest, RejectsAnEmptyIndexKeyValue) {
  EXPECT_THAT(table().Query({.index = "GSI1", .key_condition = Partition("p", BeginsWith(""))}),
              StatusIs(kValidation,
                       "One or more parameter values are not valid. A value specified for a "
                       "secondary index key is not supported. The AttributeValue for a key "
                       "attribute cannot contain an empty string value. IndexName: GSI1, IndexKey: "
                       "GSI1SK"));
}

}  // namespace
}  // namespace dolmen::behaviour
