// Tests of the items that a KeyConditionExpression selects and of the key conditions that are
// rejected.
// https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/Query.KeyConditionExpressions.html

#include <algorithm>

#include "tests/behaviour/rules.h"

namespace dolmen::behaviour {
namespace {

using test::B;

const std::string kInvalidCondition = "Invalid KeyConditionExpression: ";

class KeyConditionRulesTest : public RulesTest {
 protected:
  // Returns a query with the key condition and the values of the placeholders in the condition. The
  // value of :p is the test's partition key.
  QueryInput Input(const std::string& condition, const Names& names = {}) const {
    const Values all = {{":p", pk()}, {":a", "a"}, {":b", "b"},    {":c", "c"},   {":n", 7},
                        {":e", ""},   {":t", "S"}, {":x", B("a")}, {":z", false}, {":l", List{""}}};
    QueryInput input{.key_condition = condition, .names = names};
    for (const auto& [token, value] : all) {
      if (condition.find(token) != condition.npos) input.values.emplace(token, value);
    }
    return input;
  }

  void CheckRefused(const std::string& condition, const std::string& error) const {
    EXPECT_THAT(table().Query(Input(condition)), IsInvalid(error)) << condition;
  }
};

TEST_F(KeyConditionRulesTest, SelectsAPartitionOrARangeOfIt) {
  for (const std::string sort : {"B", "a", "aa", "ab", "b", "ba", "c"}) Put(Key(sort));
  const std::vector<std::string> all = {"B", "a", "aa", "ab", "b", "ba", "c"};
  struct Row {
    std::string condition;
    std::vector<std::string> sort_keys;
  };
  for (const auto& [condition, sort_keys] : std::vector<Row>{
           {"PK = :p", all},
           {":p = PK", all},
           {"(PK = :p)", all},
           {"PK = :p AND SK = :b", {"b"}},
           {"PK = :p AND SK < :b", {"B", "a", "aa", "ab"}},
           {"PK = :p AND SK <= :b", {"B", "a", "aa", "ab", "b"}},
           {"PK = :p AND SK > :b", {"ba", "c"}},
           {"PK = :p AND SK >= :b", {"b", "ba", "c"}},
           {"PK = :p AND SK BETWEEN :a AND :b", {"a", "aa", "ab", "b"}},
           {"PK = :p AND SK BETWEEN :b AND :b", {"b"}},
           {"PK = :p AND begins_with(SK, :a)", {"a", "aa", "ab"}},
           {"PK = :p AND begins_with(SK, :c)", {"c"}},
           {"SK > :b AND PK = :p", {"ba", "c"}},  // in either order
           {"begins_with(SK, :b) and PK = :p", {"b", "ba"}},
           {"SK BETWEEN :b AND :c AND PK = :p", {"b", "ba", "c"}},
           {"PK = :p AND :b = SK", {"b"}},  // with the operands reversed
           {"PK = :p AND :b < SK", {"ba", "c"}},
           {"PK = :p AND :b <= SK", {"b", "ba", "c"}},
           {"PK = :p AND :b > SK", {"B", "a", "aa", "ab"}},
           {":p = PK AND :b >= SK", {"B", "a", "aa", "ab", "b"}},
           {"(PK = :p) AND (SK > :b)", {"ba", "c"}},
           {"(PK = :p AND SK > :b)", {"ba", "c"}},
           {"(PK) = (:p) AND begins_with((SK), (:c))", {"c"}},
       }) {
    SCOPED_TRACE(condition);
    QueryInput input = Input(condition);
    EXPECT_EQ(SortKeys(input), sort_keys);
    input.forward = false;
    EXPECT_EQ(SortKeys(input), std::vector(sort_keys.rbegin(), sort_keys.rend()));
    input.limit = 1;
    EXPECT_EQ(SortKeys(input), std::vector(sort_keys.rbegin(), sort_keys.rend()));
  }
  EXPECT_EQ(SortKeys(Input("#p = :p AND #s = :b", {{"#p", "PK"}, {"#s", "SK"}})),
            std::vector<std::string>{"b"});
}

TEST_F(KeyConditionRulesTest, RejectsOperatorsThatDoNotSelectARange) {
  struct Row {
    std::string condition, op;
  };
  for (const auto& [condition, op] : std::vector<Row>{
           {"PK = :p OR SK = :a", "OR"},
           {"NOT PK = :p", "NOT"},
           {"PK = :p AND NOT SK = :a", "NOT"},
           {"PK = :p AND NOT (SK = :a)", "NOT"},
           {"PK IN (:p)", "IN"},
           {"PK = :p AND SK IN (:a)", "IN"},
           {"PK <> :p", "<>"},
           {"PK = :p AND SK <> :a", "<>"},
           {"PK = :p AND attribute_exists(SK)", "attribute_exists"},
           {"PK = :p AND attribute_not_exists(SK)", "attribute_not_exists"},
           {"PK = :p AND attribute_type(SK, :t)", "attribute_type"},
           {"PK = :p AND contains(SK, :a)", "contains"},
       }) {
    CheckRefused(condition, "Invalid operator used in KeyConditionExpression: " + op);
  }
}

// A key condition compares a top-level key attribute with a value.
TEST_F(KeyConditionRulesTest, ComparesAKeyAttributeWithValuesOnly) {
  const std::string invalid = "Invalid condition in KeyConditionExpression: ";
  const std::string nested = "KeyConditionExpressions cannot have conditions on nested attributes";
  const std::string operations = "KeyConditionExpressions cannot contain nested operations";
  CheckRefused("PK = :p AND size(SK) = :n", operations);
  CheckRefused("size(PK) = :n", operations);
  CheckRefused("PK = :p AND SK BETWEEN size(SK) AND :n", operations);
  CheckRefused("PK = :p AND :a BETWEEN SK AND :b",
               invalid + "BETWEEN operator must have the key attribute as its first operand");
  CheckRefused("PK = :p AND begins_with(:a, SK)",
               invalid + "begins_with operator must have the key attribute as its first operand");
  CheckRefused("PK = SK", invalid + "Multiple attribute names used in one condition");
  CheckRefused("PK = :p AND SK = other_",
               invalid + "Multiple attribute names used in one condition");
  CheckRefused("PK = :p AND SK BETWEEN PK AND :a",
               invalid + "Multiple attribute names used in one condition");
  CheckRefused("PK = :p AND begins_with(SK, PK)",
               invalid + "Multiple attribute names used in one condition");
  CheckRefused("PK = :p AND :a = :b", invalid + "No key attribute specified");
  CheckRefused("PK.x = :p", nested);
  CheckRefused("PK = :p AND SK[0] = :a", nested);
}

TEST_F(KeyConditionRulesTest, RejectsTwoConditionsOnOneKeyAttribute) {
  const std::string message = "KeyConditionExpressions must only contain one condition per key";
  CheckRefused("PK = :p AND PK = :p", message);
  CheckRefused("PK = :p AND SK > :a AND SK < :b", message);
  CheckRefused("PK = :p AND SK = :a AND x = :b", "Conditions can be of length 1 or 2 only");
  CheckRefused("PK = :p AND (SK = :a AND x = :b)", "Conditions can be of length 1 or 2 only");
}

TEST_F(KeyConditionRulesTest, RequiresEqualityOnThePartitionKey) {
  const std::string missed = "Query condition missed key schema element: ";
  const std::string unsupported = "Query key condition not supported";
  EXPECT_THAT(table().Query({}),
              IsInvalid("Either the KeyConditions or KeyConditionExpression parameter must be "
                        "specified in the request."));
  CheckRefused("SK = :a", missed + "PK");
  CheckRefused("SK = :a AND x = :b", missed + "PK");
  CheckRefused("PK = :p AND x = :a", missed + "SK");
  CheckRefused("PK < :p", unsupported);
  CheckRefused("PK >= :p AND SK = :a", unsupported);
  CheckRefused("PK BETWEEN :a AND :b", unsupported);
  CheckRefused("begins_with(PK, :a)", unsupported);
}

TEST_F(KeyConditionRulesTest, NamesTheKeyOfTheIndexThatIsQueried) {
  QueryInput input = Input("PK = :p");
  input.index = "GSI1";
  EXPECT_THAT(table().Query(input), IsInvalid("Query condition missed key schema element: GSI1PK"));
  input = Input("GSI1PK = :p AND SK = :a");
  input.index = "GSI1";
  EXPECT_THAT(table().Query(input), IsInvalid("Query condition missed key schema element: GSI1SK"));
  input = Input("game = :p AND score > :a");
  input.index = "ByScore";
  EXPECT_THAT(table().Query(input),
              IsInvalid("One or more parameter values were invalid: Condition parameter type does "
                        "not match schema type"));
}

TEST_F(KeyConditionRulesTest, HasOneConditionIfTheTableHasNoSortKey) {
  const auto single = database().CreateTable({.name = "key-single", .sort_key = std::nullopt});
  ASSERT_THAT(single, IsOk());
  EXPECT_THAT(single->PutItem({.item = {{"PK", pk()}}}), IsOk());
  const auto page = single->Query(Input("PK = :p"));
  ASSERT_THAT(page, IsOk());
  EXPECT_EQ(page->size(), 1u);
  EXPECT_THAT(single->Query(Input("PK = :p AND SK = :a")),
              IsInvalid("The number of query conditions (2) exceeds the number of key attributes "
                        "defined in the schema (1)"));
}

TEST_F(KeyConditionRulesTest, RejectsValuesThatDoNotHaveTheTypeOfTheKey) {
  const std::string message =
      "One or more parameter values were invalid: Condition parameter type does not match schema "
      "type";
  for (const std::string value : {":n", ":x", ":z", ":l"}) {
    CheckRefused("PK = " + value, message);
    CheckRefused("PK = :p AND SK = " + value, message);
  }
  CheckRefused("PK = :p AND SK < :n", message);
  CheckRefused("PK = :p AND SK BETWEEN :n AND :n", message);
  CheckRefused("PK = :p AND begins_with(SK, :x)", message);
}

TEST_F(KeyConditionRulesTest, RejectsEmptyKeyValues) {
  const auto empty = [](const std::string& key) {
    return "One or more parameter values are not valid. The AttributeValue for a key attribute "
           "cannot contain an empty string value. Key: " +
           key;
  };
  CheckRefused("PK = :e", empty("PK"));
  CheckRefused("PK = :p AND SK = :e", empty("SK"));
  CheckRefused("PK = :p AND SK >= :e", empty("SK"));
  CheckRefused("PK = :p AND SK BETWEEN :e AND :a", empty("SK"));
  CheckRefused("PK = :p AND begins_with(SK, :e)", empty("SK"));
}

// Query first reports the errors that any condition can have. Then it reports
// the errors that only a key condition can have.
TEST_F(KeyConditionRulesTest, ReportsTheFaultsOfAnyConditionFirst) {
  const std::string bounds =
      "The BETWEEN operator requires upper bound to be greater than or equal to lower bound; lower "
      "bound operand: AttributeValue: {S:b}, upper bound operand: AttributeValue: {S:a}";
  CheckRefused("", kInvalidCondition + "The expression can not be empty;");
  CheckRefused("PK = :p AND SK", kInvalidCondition + SyntaxError("<EOF>", "SK"));
  CheckRefused("PK = 'x'", kInvalidCondition + SyntaxError("'", "= 'x"));
  CheckRefused("((PK = :p))", kInvalidCondition + "The expression has redundant parentheses;");
  CheckRefused("PK = :p OR foo(SK)", kInvalidCondition + "Invalid function name; function: foo");
  CheckRefused("PK = :p OR date = :a",
               kInvalidCondition + "Attribute name is a reserved keyword; reserved keyword: date");
  CheckRefused("PK = :p OR SK = :undefined",
               kInvalidCondition +
                   "An expression attribute value used in expression is not defined; attribute "
                   "value: :undefined");
  CheckRefused("PK = PK",
               kInvalidCondition +
                   "The first operand must be distinct from the remaining operands for this "
                   "operator or function; operator: =, first operand: [PK]");
  CheckRefused("PK = :p AND begins_with(SK, :n)",
               kInvalidCondition +
                   "Incorrect operand type for operator or function; operator or function: "
                   "begins_with, operand type: N");
  CheckRefused("PK = :p AND SK BETWEEN :b AND :a", kInvalidCondition + bounds);
}

}  // namespace
}  // namespace dolmen::behaviour
