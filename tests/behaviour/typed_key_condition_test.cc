// Tests of key conditions written as values (Partition). A query with such values returns
// the same items and errors as a query with the expression.

#include <dolmen/dolmen.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "tests/support/status_matchers.h"

namespace dolmen {
namespace {

using test::IsOk;
using testing::ElementsAre;

class TypedKeyConditionTest : public testing::Test {
 protected:
  void SetUp() override {
    CreateTableInput input;
    input.name = "numbered";
    input.sort_key = KeyAttribute{"SK", AttributeType::kN};
    auto table = database_->CreateTable(input);
    ASSERT_THAT(table, IsOk());
    table_ = *table;
    for (int n = 1; n <= 5; ++n) {
      ASSERT_THAT(table_->PutItem({.item = {{"PK", "p"}, {"SK", n}}}), IsOk());
    }
  }

  Result<std::vector<std::int64_t>> Keys(const QueryInput& input) {
    const Result<QueryOutput> page = table_->Query(input);
    if (!page.ok()) return page.status();
    std::vector<std::int64_t> keys;
    for (const ItemView item : *page) keys.push_back(*item["SK"].AsInt64());
    return keys;
  }

  // Checks that the typed condition and the expression have the same result or error.
  void ExpectSame(const SortKeyCondition& sort, const std::string& expression,
                  const Values& values) {
    const auto typed = Keys({.key_condition = Partition("p", sort)});
    Values all = values;
    all.emplace(":p", "p");
    const auto written = Keys({.key_condition = "PK = :p AND " + expression, .values = all});
    EXPECT_EQ(typed.status().ToString(), written.status().ToString()) << expression;
    if (typed.ok() && written.ok()) {
      EXPECT_EQ(*typed, *written) << expression;
    }
  }

  Result<Database> database_ = Database::InMemory();
  std::optional<Table> table_;
};

TEST_F(TypedKeyConditionTest, ATypedConditionSelectsByPartitionAndSortKey) {
  EXPECT_THAT(*Keys({.key_condition = Partition("p")}), ElementsAre(1, 2, 3, 4, 5));
  EXPECT_THAT(*Keys({.key_condition = Partition("p", Equal(3))}), ElementsAre(3));
  EXPECT_THAT(*Keys({.key_condition = Partition("p", Less(3))}), ElementsAre(1, 2));
  EXPECT_THAT(*Keys({.key_condition = Partition("p", Between(2, 4)), .forward = false}),
              ElementsAre(4, 3, 2));
}

TEST_F(TypedKeyConditionTest, ATypedConditionSelectsTheItemsOfItsExpression) {
  ExpectSame(Equal(3), "SK = :v", {{":v", 3}});
  ExpectSame(Less(3), "SK < :v", {{":v", 3}});
  ExpectSame(LessOrEqual(3), "SK <= :v", {{":v", 3}});
  ExpectSame(Greater(3), "SK > :v", {{":v", 3}});
  ExpectSame(GreaterOrEqual(3), "SK >= :v", {{":v", 3}});
  ExpectSame(Between(2, 4), "SK BETWEEN :v AND :w", {{":v", 2}, {":w", 4}});
}

TEST_F(TypedKeyConditionTest, ATypedConditionFailsWithTheErrorOfItsExpression) {
  ExpectSame(Between(4, 2), "SK BETWEEN :v AND :w", {{":v", 4}, {":w", 2}});
  ExpectSame(Between(4, "x"), "SK BETWEEN :v AND :w", {{":v", 4}, {":w", "x"}});
  ExpectSame(BeginsWith(1), "begins_with(SK, :v)", {{":v", 1}});
  ExpectSame(BeginsWith("1"), "begins_with(SK, :v)", {{":v", "1"}});
  ExpectSame(Equal("3"), "SK = :v", {{":v", "3"}});
  ExpectSame(Equal(List{3}), "SK = :v", {{":v", List{3}}});
}

}  // namespace
}  // namespace dolmen
