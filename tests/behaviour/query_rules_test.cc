// Tests of Query: its pages and start keys, and the keys in its filters and projections. The rule
// numbers are those of tests/behaviour/README.md.
// https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/Query.Pagination.html

#include "tests/behaviour/rules.h"

namespace dolmen::behaviour {
namespace {

constexpr std::size_t kPageBytes = std::size_t{1} << 20;

class QueryRulesTest : public RulesTest {
 protected:
  // Puts five items. Their sort keys are "a" to "e", and their attribute "n" is 1 to 5.
  void PutFive() const {
    for (int i = 0; i < 5; ++i) {
      Put(With({{"n", i + 1}}, std::string(1, static_cast<char>('a' + i))));
    }
  }
  // Puts an item whose size is `bytes`.
  // REQUIRES: `sort` has one byte
  void PutOfSize(const std::string& sort, std::size_t bytes) const {
    const std::size_t rest = 2 + pk().size() + 2 + 1 + 4;
    Put(With({{"fill", std::string(bytes - rest, 'x')}}, sort));
  }
};

// The limit counts items before the filter. A page that ends at its limit has a LastEvaluatedKey.
TEST_F(QueryRulesTest, APageEndsAtItsLimitBeforeTheFilter) {
  PutFive();
  struct Row {
    std::optional<std::uint32_t> limit;
    std::string filter;
    std::uint32_t count, scanned;
    std::string last;  // "" means no LastEvaluatedKey
  };
  for (const auto& [limit, filter, count, scanned, last] : std::vector<Row>{
           {{}, "n > :n", 3, 5, ""},
           {1, "n > :n", 0, 1, "a"},  // an empty page, but not the last page
           {3, "n > :n", 1, 3, "c"},
           {4, "n > :n", 2, 4, "d"},
           {5, "n > :n", 3, 5, "e"},  // the last page, but Query does not look ahead
           {6, "n > :n", 3, 5, ""},
           {1'000'000, "n > :n", 3, 5, ""},
           {2, "n < :n", 1, 2, "b"},
           {{}, "n > :n AND n < :n", 0, 5, ""},
       }) {
    SCOPED_TRACE(filter + " " + std::to_string(limit.value_or(0)));
    for (const Select select : {Select::kDefault, Select::kCount}) {
      const auto page = table().Query({.key_condition = Partition(pk()),
                                       .filter = filter,
                                       .values = {{":n", 2}},
                                       .limit = limit,
                                       .select = select});
      ASSERT_THAT(page, IsOk());
      EXPECT_EQ(page->count(), count);
      EXPECT_EQ(page->scanned_count(), scanned);
      EXPECT_EQ(page->size(), select == Select::kCount ? 0 : count);
      EXPECT_EQ(page->last_evaluated_key(), last.empty() ? Item() : Key(last));
    }
  }
}

TEST_F(QueryRulesTest, ScanIndexForwardFalseReversesTheOrder) {
  PutFive();
  const QueryInput input = {.key_condition = Partition(pk()), .forward = false, .limit = 2};
  EXPECT_THAT(SortKeys(input), ElementsAre("e", "d", "c", "b", "a"));
  EXPECT_EQ(table().Query(input)->last_evaluated_key(), Key("d"));
}

// A filter may name attributes that the projection leaves out.
TEST_F(QueryRulesTest, AQueryFiltersBeforeItProjects) {
  PutFive();
  const auto page = table().Query({.key_condition = Partition(pk()),
                                   .filter = "n = :n",
                                   .projection = "SK",
                                   .values = {{":n", 4}}});
  ASSERT_THAT(page, IsOk());
  ASSERT_EQ(page->size(), 1u);
  EXPECT_THAT((*page)[0].Copy(), IsOkAndHolds(Item{{"SK", "d"}}));
}

// A page ends with the item that brings the size of the page to 1 MB or more. Items that the filter
// leaves out count towards this size.
TEST_F(QueryRulesTest, APageEndsWithTheItemThatReachesOneMegabyte) {
  const auto query = [&] {
    return *table().Query({.key_condition = Partition(pk()), .filter = "attribute_exists(none_)"});
  };
  for (const std::string sort : {"a", "b"}) PutOfSize(sort, 400'000);
  const std::size_t rest = kPageBytes - 800'000;
  PutOfSize("c", rest - 1);
  EXPECT_EQ(query().last_evaluated_key(), Item());
  PutOfSize("c", rest);
  EXPECT_EQ(query().last_evaluated_key(), Key("c"));
  PutOfSize("c", rest - 1);
  PutOfSize("d", 400'000);
  PutOfSize("e", 400'000);
  EXPECT_EQ(query().last_evaluated_key(), Key("d"));
  EXPECT_EQ(query().scanned_count(), 4u);
  EXPECT_EQ(query().count(), 0u);
  const auto rest_page =
      table().Query({.key_condition = Partition(pk()), .exclusive_start_key = Key("d")});
  ASSERT_THAT(rest_page, IsOk());
  EXPECT_EQ(rest_page->size(), 1u);
}

// LastEvaluatedKey has each attribute of the index key and of the table key once. Numbers are in
// their normalized form.
TEST_F(QueryRulesTest, TheLastEvaluatedKeyOfAnIndexHasBothKeys) {
  const auto inverted = database().CreateTable(
      {.name = "inverted",
       .sort_key = KeyAttribute{"SK", AttributeType::kN},
       .global_secondary_indexes = {
           {.name = "inverse", .partition_key = {{"SK", AttributeType::kN}}, .sort_key = {{"PK"}}},
           {.name = "plain", .partition_key = {{"g"}}}}});
  ASSERT_THAT(inverted, IsOk());
  for (const std::string partition : {"p", "q"}) {
    EXPECT_THAT(
        inverted->PutItem({.item = {{"PK", partition}, {"SK", N("1e2")}, {"g", "g"}, {"n", 1}}}),
        IsOk());
  }
  QueryInput input{.index = "inverse", .key_condition = Partition(100), .limit = 1};
  auto page = inverted->Query(input);
  ASSERT_THAT(page, IsOk());
  EXPECT_EQ(page->last_evaluated_key(), (Item{{"PK", "p"}, {"SK", 100}}));
  input.exclusive_start_key = {{"PK", "p"}, {"SK", N("100.0")}};  // equal to 100
  page = inverted->Query(input);
  ASSERT_THAT(page, IsOk());
  ASSERT_EQ(page->size(), 1u);
  EXPECT_EQ((*page)[0]["PK"].AsString(), "q");
  page = inverted->Query({.index = "plain", .key_condition = Partition("g"), .limit = 1});
  ASSERT_THAT(page, IsOk());
  EXPECT_EQ(page->last_evaluated_key(), (Item{{"PK", "p"}, {"SK", 100}, {"g", "g"}}));
  page = inverted->Query({.index = "plain",
                          .key_condition = Partition("g"),
                          .exclusive_start_key = {{"PK", "p"}, {"SK", 100}, {"g", "g"}}});
  ASSERT_THAT(page, IsOk());
  ASSERT_EQ(page->size(), 1u);
  EXPECT_EQ((*page)[0]["PK"].AsString(), "q");
}

TEST_F(QueryRulesTest, AStartKeyNeedNotExist) {
  for (const std::string sort : {"b", "d"}) Put(Key(sort));
  struct Row {
    std::string start;
    std::vector<std::string> forward, backward;
  };
  for (const auto& [start, forward, backward] : std::vector<Row>{{"a", {"b", "d"}, {}},
                                                                 {"b", {"d"}, {}},
                                                                 {"c", {"d"}, {"b"}},
                                                                 {"d", {}, {"b"}},
                                                                 {"e", {}, {"d", "b"}}}) {
    EXPECT_EQ(SortKeys({.key_condition = Partition(pk()), .exclusive_start_key = Key(start)}),
              forward);
    EXPECT_EQ(SortKeys({.key_condition = Partition(pk()),
                        .forward = false,
                        .exclusive_start_key = Key(start)}),
              backward);
  }
}

TEST_F(QueryRulesTest, AStartKeyOfATableHasExactlyTheTableKey) {
  const std::string invalid = "The provided starting key is invalid";
  const std::string mismatch =
      "The provided starting key is invalid: The provided key element does not match the schema";
  const std::string outside =
      "The provided starting key is outside query boundaries based on provided conditions";
  struct Row {
    Item start;
    std::string error;
  };
  for (const auto& [start, error] : std::vector<Row>{
           {{{"PK", pk()}}, invalid},
           {{{"SK", "a"}}, invalid},
           {{{"PK", pk()}, {"x", "a"}}, invalid},
           {{{"PK", pk()}, {"SK", "a"}, {"x", 1}}, invalid},
           {{{"PK", pk()}, {"SK", 1}}, mismatch},
           {{{"PK", Binary{pk()}}, {"SK", "a"}}, mismatch},
           {{{"PK", pk()}, {"SK", nullptr}}, mismatch},
           {{{"PK", "other"}, {"SK", "a"}}, outside},
       }) {
    for (const bool forward : {true, false}) {
      EXPECT_THAT(
          table().Query(
              {.key_condition = Partition(pk()), .forward = forward, .exclusive_start_key = start}),
          IsInvalid(error))
          << testing::PrintToString(start);
    }
  }
}

TEST_F(QueryRulesTest, AStartKeyOfAnIndexHasTheIndexKeyAndTheTableKey) {
  const std::string invalid = "The provided starting key is invalid";
  const Item good = {{"GSI1PK", "u"}, {"GSI1SK", "x"}, {"PK", "p"}, {"SK", "s"}};
  const auto from = [&](const std::string& name, const AttributeValue& value) {
    Item start = good;
    start[name] = value;
    return table().Query(
        {.index = "GSI1", .key_condition = Partition("u"), .exclusive_start_key = start});
  };
  EXPECT_THAT(from("GSI1SK", "y"), IsOk());
  EXPECT_THAT(from("x", 1), IsInvalid(invalid));
  EXPECT_THAT(from("GSI1SK", 1), IsInvalid("The provided key element does not match the schema"));
  EXPECT_THAT(from("SK", 1),
              IsInvalid(invalid + ": The provided key element does not match the schema"));
  EXPECT_THAT(from("GSI1PK", "w"),
              IsInvalid("The provided starting key is outside query boundaries based on provided "
                        "conditions"));
  for (const auto& [name, value] : good) {
    Item start = good;
    start.erase(name);
    EXPECT_THAT(
        table().Query(
            {.index = "GSI1", .key_condition = Partition("u"), .exclusive_start_key = start}),
        IsInvalid(invalid))
        << name;
  }
}

TEST_F(QueryRulesTest, AStartKeyHasNoEmptyValues) {
  const std::string empty =
      "The provided starting key is invalid: One or more parameter values are not valid. The "
      "AttributeValue for a key attribute cannot contain an empty string value. Key: ";
  const auto from = [&](const Item& start) {
    return table().Query({.key_condition = Partition(pk()), .exclusive_start_key = start});
  };
  EXPECT_THAT(from({{"PK", ""}, {"SK", "s"}}), IsInvalid(empty + "PK"));
  EXPECT_THAT(from(Key("")), IsInvalid(empty + "SK"));
}

// In a table without a sort key, a partition holds at most one item, so no item can follow a start
// key. An index can hold several items with one key. Two partitions can hold two items.
TEST_F(QueryRulesTest, AQueryOfAtMostOneItemHasNoStartKey) {
  const auto single = database().CreateTable(
      {.name = "hash-only",
       .sort_key = std::nullopt,
       .global_secondary_indexes = {{.name = "by_kind", .partition_key = {{"kind"}}}}});
  ASSERT_THAT(single, IsOk());
  for (const char* pk : {"p", "q"}) {
    ASSERT_THAT(single->PutItem({.item = {{"PK", pk}, {"kind", "k"}}}), IsOk());
  }
  for (const std::string start : {"p", "q"}) {
    EXPECT_THAT(
        single->Query({.key_condition = Partition("p"), .exclusive_start_key = {{"PK", start}}}),
        StatusIs(kValidation,
                 "The provided exclusive start key is invalid: ExclusiveStartKey: "
                 "{PK=AttributeValue: {S:" +
                     start + "}}"));
  }
  EXPECT_THAT(single->Query({.key_condition = Partition("p"), .exclusive_start_key = {{"PK", 1}}}),
              StatusIs(kValidation, HasSubstr("does not match the schema")));
  const auto count = [&](QueryInput input) {
    input.limit = 1;
    std::size_t items = 0;
    test::VisitItems(*single, std::move(input), [&](ItemView) { ++items; });
    return items;
  };
  EXPECT_EQ(count({.key_condition = Partition("p")}), 1u) << "the page has no LastEvaluatedKey";
  EXPECT_EQ(count({.key_condition = Partitions({"p", "q"})}), 2u);
  EXPECT_EQ(count({.index = "by_kind", .key_condition = Partition("k")}), 2u);
}

TEST_F(QueryRulesTest, AStartKeyMustMatchTheSortKeyCondition) {
  const auto from = [&](const std::string& start, const SortKeyCondition& sort, bool forward) {
    return table().Query({.key_condition = Partition(pk(), sort),
                          .forward = forward,
                          .exclusive_start_key = Key(start)});
  };
  struct Row {
    SortKeyCondition sort;
    std::string inside, outside;
  };
  for (const auto& [sort, inside, outside] : std::vector<Row>{
           {Equal("m"), "m", "n"},
           {Less("m"), "l", "m"},
           {LessOrEqual("m"), "m", "n"},
           {Greater("m"), "n", "m"},
           {GreaterOrEqual("m"), "m", "l"},
           {Between("m", "o"), "o", "p"},
           {Between("m", "o"), "m", "l"},
           {BeginsWith("m"), "mx", "n"},
       }) {
    for (const bool forward : {true, false}) {
      EXPECT_THAT(from(inside, sort, forward), IsOk());
      EXPECT_THAT(from(outside, sort, forward),
                  IsInvalid("The provided starting key does not match the range key predicate"));
    }
  }
}

// The limit is at least 1. A query that only counts has no projection. The index must exist.
TEST_F(QueryRulesTest, QueryRejectsLimitZeroCountedProjectionsAndUnknownIndexes) {
  EXPECT_THAT(table().Query({.key_condition = Partition(pk()), .limit = 0}),
              IsInvalid("1 validation error detected: Value at 'Limit' failed to satisfy "
                        "constraint: Member must have value greater than or equal to 1"));
  EXPECT_THAT(table().Query(
                  {.key_condition = Partition(pk()), .projection = "a", .select = Select::kCount}),
              IsInvalid("1 validation error detected: Cannot specify the ProjectionExpression when "
                        "choosing to get only the "
                        "Count"));
  EXPECT_THAT(table().Query({.index = "nothing", .key_condition = Partition(pk())}),
              IsInvalid("The table does not have the specified index: nothing"));
}

// A filter must not name the key of the queried table or index. A filter on an index may name the
// table key.
TEST_F(QueryRulesTest, AFilterRejectsTheKeyAttributesOfTheQueriedTableOrIndex) {
  const auto query = [&](const std::string& index, const std::string& filter) {
    return table().Query({.index = index,
                          .key_condition = Partition(pk()),
                          .filter = filter,
                          .names = {{"#k", index.empty() ? "SK" : "GSI1SK"}},
                          .values = {{":v", "x"}}});
  };
  const auto error = [](const std::string& key) {
    return "Filter Expression can only contain non-primary key attributes: Primary key "
           "attribute: " +
           key;
  };
  EXPECT_THAT(query("", "#k = :v"), IsInvalid(error("SK")));
  EXPECT_THAT(query("", "a = :v OR NOT #k < :v"), IsInvalid(error("SK")));
  EXPECT_THAT(query("", "size(#k) = :v"), IsInvalid(error("SK")));
  EXPECT_THAT(query("", "PK = :v AND #k = :v"), IsInvalid(error("PK")));
  EXPECT_THAT(query("", "a.SK = :v AND a.#k = :v"), IsOk());  // these are nested attributes
  EXPECT_THAT(query("GSI1", "#k = :v"), IsInvalid(error("GSI1SK")));
  EXPECT_THAT(query("GSI1", "GSI1PK = :v AND #k = :v"), IsInvalid(error("GSI1PK")));
  EXPECT_THAT(query("GSI1", "PK = :v AND a.#k = :v"), IsOk());
}

TEST_F(QueryRulesTest, PathsIntoKeyAttributesAreRejected) {
  const std::string error =
      "Key attributes must be scalars; list random access '[]' and map lookup '.' are not "
      "allowed: ";
  for (const std::string index : {"", "GSI1"}) {
    QueryInput query{.index = index, .key_condition = Partition(pk())};
    for (const std::string step : {".x", "[0]"}) {
      for (const std::string key : {"PK", "SK"}) {
        query.projection = "a, " + key + step;
        EXPECT_THAT(table().Query(query), IsInvalid(error + "Key: " + key));
        query.projection = {};
        query.filter = "attribute_exists(" + key + step + ")";
        EXPECT_THAT(table().Query(query), IsInvalid(error + "Key: " + key));
        query.filter = {};
      }
      for (const std::string key : {"GSI1PK", "GSI1SK"}) {
        query.projection = "a, " + key + step;
        EXPECT_THAT(table().Query(query), IsInvalid(error + "IndexKey: " + key));
      }
    }
  }
}

}  // namespace
}  // namespace dolmen::behaviour
