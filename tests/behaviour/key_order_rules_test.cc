// Tests of the order of keys in tables and in indexes.
// https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/Query.html

#include "tests/behaviour/rules.h"

namespace dolmen::behaviour {
namespace {

using test::B;

// The values of each type, in DynamoDB's order. DynamoDB orders strings by their bytes in UTF-8. If
// it ordered strings by their UTF-16 units, the last two strings would come before \uE000.
const List kStrings = {"\x01", " ", "0", "10", "9",      "A",      "AA",         "B",         "a",
                       "aa",   "z", "¿", "é",  "\uE000", "\uFFFD", "\U00010000", "\U0001F600"};
const List kNumbers = {N("-9.9E125"),
                       -100,
                       N("-99.9"),
                       -2,
                       N("-1.5"),
                       -1,
                       N("-0.1"),
                       N("-1E-130"),
                       0,
                       N("1E-130"),
                       N("0.1"),
                       1,
                       N("1.5"),
                       2,
                       10,
                       N("99.9"),
                       100,
                       N("1E38"),
                       N("9.9E125")};
const List kBinaries = {B(std::string(1, '\0')),
                        B(std::string(2, '\0')),
                        B("\x01"),
                        B("\x01\x01"),
                        B("\x7F"),
                        B("\x7F\xFF"),
                        B("\x80"),
                        B("\xFF"),
                        B("\xFF\xFF")};

class KeyOrderRulesTest : public RulesTest {
 protected:
  // Creates and returns a table. The sort key of the table and the sort key of its index have the
  // type `type`.
  static Table MakeTable(AttributeType type) {
    CreateTableInput input;
    input.name = "order-" + std::string(AttributeTypeName(type));
    input.sort_key = KeyAttribute{"SK", type};
    input.global_secondary_indexes = {
        {.name = "index", .partition_key = {{"i"}}, .sort_key = {{"v", type}}}};
    const auto table = database().CreateTable(input);
    EXPECT_THAT(table, IsOk());
    return *table;
  }

  // Returns the values of the attribute `name` of all items that the query finds, in pages of three
  // items.
  static List Read(const Table& table, QueryInput input, const std::string& name) {
    List values;
    input.limit = 3;
    test::VisitItems(table, std::move(input),
                     [&](ItemView item) { values.push_back(*item[name].Copy()); });
    return values;
  }

  static List Reversed(const List& list) { return {list.rbegin(), list.rend()}; }

  // Checks queries with every range operator and with every value as the bound.
  static void CheckRanges(const Table& table, const List& ordered) {
    const auto sort_keys = [&](const SortKeyCondition& sort) {
      return Read(table, {.key_condition = Partition("p", sort)}, "SK");
    };
    const auto begin = ordered.begin();
    for (auto at = begin; at != ordered.end(); ++at) {
      EXPECT_EQ(sort_keys(Less(*at)), List(begin, at));
      EXPECT_EQ(sort_keys(LessOrEqual(*at)), List(begin, at + 1));
      EXPECT_EQ(sort_keys(Equal(*at)), List(at, at + 1));
      EXPECT_EQ(sort_keys(Greater(*at)), List(at + 1, ordered.end()));
      EXPECT_EQ(sort_keys(GreaterOrEqual(*at)), List(at, ordered.end()));
      EXPECT_EQ(sort_keys(Between(ordered.front(), *at)), List(begin, at + 1));
    }
  }

  // Stores the items from the last to the first and checks the order of the table and the index.
  void CheckOrder(AttributeType type, const List& ordered) const {
    const Table table = MakeTable(type);
    for (auto value = ordered.rbegin(); value != ordered.rend(); ++value) {
      const Item item = {{"PK", "p"}, {"SK", *value}, {"i", "x"}, {"v", *value}};
      EXPECT_THAT(table.PutItem({.item = item}), IsOk());
    }
    EXPECT_EQ(Read(table, {.key_condition = Partition("p")}, "SK"), ordered);
    EXPECT_EQ(Read(table, {.key_condition = Partition("p"), .forward = false}, "SK"),
              Reversed(ordered));
    EXPECT_EQ(Read(table, {.index = "index", .key_condition = Partition("x")}, "v"), ordered);
    EXPECT_EQ(
        Read(table, {.index = "index", .key_condition = Partition("x"), .forward = false}, "v"),
        Reversed(ordered));
    CheckRanges(table, ordered);
  }
};

// Tables and indexes order string keys by their bytes in UTF-8.
TEST_F(KeyOrderRulesTest, StringsAreOrderedByTheirBytes) {
  CheckOrder(AttributeType::kS, kStrings);
}

// Tables and indexes order number keys by value.
TEST_F(KeyOrderRulesTest, NumbersAreOrderedAsNumbers) { CheckOrder(AttributeType::kN, kNumbers); }

// Tables and indexes order binary keys by their unsigned bytes.
TEST_F(KeyOrderRulesTest, BinariesAreOrderedByUnsignedBytes) {
  CheckOrder(AttributeType::kB, kBinaries);
}

// A comparison in a filter or condition uses the same order of values as keys do.
TEST_F(KeyOrderRulesTest, ConditionsHaveTheSameOrder) {
  for (const List& ordered : {kStrings, kNumbers, kBinaries}) {
    for (std::size_t i = 0; i < ordered.size(); ++i) {
      for (std::size_t k = 0; k < ordered.size(); ++k) {
        const Map item = {{"a", ordered[i]}};
        const Values v = {{":v", ordered[k]}};
        CheckConditions({{"a < :v", item, v, i < k},
                         {"a <= :v", item, v, i <= k},
                         {"a > :v", item, v, i > k},
                         {"a >= :v", item, v, i >= k},
                         {"a BETWEEN :v AND :v", item, v, i == k}});
      }
    }
  }
}

// Items with equal index keys have the same order in one page and in pages of one item.
TEST_F(KeyOrderRulesTest, EqualKeysOfAnIndexAreAllKept) {
  for (const std::string sort : {"c", "a", "d", "b"}) {
    Put(With({{"GSI1PK", pk()}, {"GSI1SK", "same"}}, sort));
  }
  QueryInput input{.index = "GSI1", .key_condition = Partition(pk(), Equal("same"))};
  EXPECT_THAT(SortKeys(input), testing::SizeIs(4));
  const auto forward = SortKeys(input);
  input.limit = 1;
  EXPECT_EQ(SortKeys(input), forward);
  input.forward = false;
  EXPECT_EQ(SortKeys(input), std::vector(forward.rbegin(), forward.rend()));
}

}  // namespace
}  // namespace dolmen::behaviour
