// Tests of the items that a KeyConditionExpression selects and of the key conditions that are
// rejected.
// https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/Query.KeyConditionExpressions.html

#include "tests/behaviour/rules.h"

namespace dolmen::behaviour {
namespace {

using test::B;

const std::string kInvalidCondition = "Invalid KeyConditionExpression: ";

class KeyConditionRulesTest : public RulesTest {
 protected:
  KeyConditionRulesTest() : RulesTest("keys") {}

  static void SetUpTestSuite() {
    RulesTest::SetUpTestSuite();
    const auto keys = database().CreateTable(
        {.name = "keys",
         .global_secondary_indexes = {
             {.name = "Numbers", .partition_key = {{"PK"}}, .sort_key = {{"n", AttributeType::kN}}},
             {.name = "Binaries",
              .partition_key = {{"PK"}},
              .sort_key = {{"x", AttributeType::kB}}},
             {.name = "Dots", .partition_key = {{"a.b"}}},
             {.name = "Several",
              .partition_key = {{"a"}, {"b"}},
              .sort_key = {{"s"}, {"t"}, {"u"}}}}});
    ASSERT_THAT(keys, IsOk());
  }
};

TEST_F(KeyConditionRulesTest, SelectsAPartitionOrARangeOfIt) {
  std::vector<Item> items;
  for (const std::string sort : {"B", "a", "aa", "ab", "b", "ba", "c"}) items.push_back(Key(sort));
  const std::vector<std::string> all = {"B", "a", "aa", "ab", "b", "ba", "c"};
  PutAll(items);
  CheckKeyConditions({
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
      {"#p = :p AND #s = :b", {"b"}},
      {"#p = :p AND begins_with(#s, :b)", {"b", "ba"}},
  });
}

TEST_F(KeyConditionRulesTest, SelectsByTheKeyOfAnIndex) {
  PutAll({With({{"n", 7}, {"x", B("a\x01")}}, "a"),
          With({{"n", 10}, {"x", B("b")}, {"a.b", pk()}}, "b"),
          With({{"n", -70}, {"x", B("a")}}, "c"), Key("d")});
  CheckKeyConditions({
      {"PK = :p", {"c", "a", "b"}, "Numbers"},
      {"PK = :p AND n > :n", {"b"}, "Numbers"},
      {"PK = :p AND n <= :n", {"c", "a"}, "Numbers"},
      {"PK = :p AND begins_with(x, :x)", {"c", "a"}, "Binaries"},
      {"#d = :p", {"b"}, "Dots"},
  });
}

TEST_F(KeyConditionRulesTest, SelectsByTheAttributesOfAKeyFromLeftToRight) {
  const auto item = [&](const char* sort, const std::string& a, const char* s, const char* t,
                        const char* u) {
    return With({{"a", a}, {"b", pk()}, {"s", s}, {"t", t}, {"u", u}}, sort);
  };
  PutAll({item("1", pk(), "a", "a", "a"), item("2", pk(), "a", "b", "ab"),
          item("3", pk(), "a", "b", "b"), item("4", pk(), "b", "a", "a"),
          item("5", "a", "a", "a", "a")});
  CheckKeyConditions({
      {"a = :p AND b = :p", {"1", "2", "3", "4"}, "Several"},
      {"b = :p AND a = :a", {"5"}, "Several"},
      {"a = :p AND b = :p AND s > :a", {"4"}, "Several"},
      {"a = :p AND b = :p AND t < :b AND s = :a", {"1"}, "Several"},
      {"a = :p AND b = :p AND s = :a AND t = :b AND begins_with(u, :a)", {"2"}, "Several"},
  });
  const std::string equality = " must have equality conditions specified in the query";
  const std::string must_equal = equality + " because a condition is present on key attribute ";
  CheckRefusedKeyConditions({
      {"a = :p", "HASH key attributes b" + equality, "Several"},
      {"a = :p AND s = :p", "HASH key attributes b" + equality, "Several"},
      {"a = :p AND b = :p AND t = :p", "RANGE key attributes s" + must_equal + "t", "Several"},
      {"a = :p AND b = :p AND s > :p AND t = :p", "RANGE key attributes s" + must_equal + "t",
       "Several"},
      {"a = :p AND b > :p", "HASH key attributes b" + equality, "Several"},
  });
}

TEST_F(KeyConditionRulesTest, RejectsOperatorsThatDoNotSelectARange) {
  const std::string invalid = "Invalid operator used in KeyConditionExpression: ";
  CheckRefusedKeyConditions({
      {"PK = :p OR SK = :a", invalid + "OR"},
      {"NOT PK = :p", invalid + "NOT"},
      {"PK = :p AND NOT SK = :a", invalid + "NOT"},
      {"PK = :p AND NOT (SK = :a)", invalid + "NOT"},
      {"PK IN (:p)", invalid + "IN"},
      {"PK = :p AND SK IN (:a)", invalid + "IN"},
      {"PK <> :p", invalid + "<>"},
      {"PK = :p AND SK <> :a", invalid + "<>"},
      {"PK = :p AND attribute_exists(SK)", invalid + "attribute_exists"},
      {"PK = :p AND attribute_not_exists(SK)", invalid + "attribute_not_exists"},
      {"PK = :p AND attribute_type(SK, :t)", invalid + "attribute_type"},
      {"PK = :p AND contains(SK, :a)", invalid + "contains"},
      {"(PK = :p AND SK = :a) OR PK = :p", invalid + "OR"},
  });
}

// A key condition compares a top-level key attribute with a value.
TEST_F(KeyConditionRulesTest, ComparesAKeyAttributeWithValuesOnly) {
  const std::string invalid = "Invalid condition in KeyConditionExpression: ";
  const std::string nested = "KeyConditionExpressions cannot have conditions on nested attributes";
  const std::string operations = "KeyConditionExpressions cannot contain nested operations";
  CheckRefusedKeyConditions({
      {"PK = :p AND size(SK) = :n", operations},
      {"size(PK) = :n", operations},
      {"PK = size(SK)", operations},
      {"PK = :p AND SK BETWEEN size(SK) AND :n", operations},
      {"PK = :p AND :a BETWEEN SK AND :b",
       invalid + "BETWEEN operator must have the key attribute as its first operand"},
      {"PK = :p AND begins_with(:a, SK)",
       invalid + "begins_with operator must have the key attribute as its first operand"},
      {"PK = SK", invalid + "Multiple attribute names used in one condition"},
      {"PK = :p AND SK = other_", invalid + "Multiple attribute names used in one condition"},
      {"PK = :p AND SK BETWEEN PK AND :a",
       invalid + "Multiple attribute names used in one condition"},
      {"PK = :p AND begins_with(SK, PK)",
       invalid + "Multiple attribute names used in one condition"},
      {"PK = :p AND :a = :b", invalid + "No key attribute specified"},
      {"PK.x = :p", nested},
      {"PK = :p AND SK[0] = :a", nested},
  });
}

TEST_F(KeyConditionRulesTest, RejectsTwoConditionsOnOneKeyAttribute) {
  const std::string message =
      "Invalid KeyConditionExpression: KeyConditionExpressions must only contain one condition per "
      "key";
  CheckRefusedKeyConditions({
      {"PK = :p AND PK = :p", message},
      {"PK = :p AND SK > :a AND SK < :b", message},
  });
}

TEST_F(KeyConditionRulesTest, RejectsMoreConditionsThanTheKeyHasAttributes) {
  const auto message = [](int count) {
    return "The number of query conditions (" + std::to_string(count) +
           ") exceeds the number of key attributes defined in the schema (2)";
  };
  CheckRefusedKeyConditions({
      {"PK = :p AND SK = :a AND x = :b", message(3)},
      {"PK = :p AND (SK = :a AND x = :b)", message(3)},
      {"PK = :p AND SK = :a AND x = :b AND a = :b AND b = :b AND c = :b AND d = :b AND e = :b AND "
       "f = :b "
       "AND g = :b",
       message(10)},
  });
}

TEST_F(KeyConditionRulesTest, RequiresEqualityOnThePartitionKey) {
  const std::string missed = "Query condition missed key schema element: ";
  const std::string unsupported = "Query key condition not supported";
  EXPECT_THAT(table().Query({}),
              IsInvalid("Either the KeyConditions or KeyConditionExpression parameter must be "
                        "specified in the request."));
  CheckRefusedKeyConditions({
      {"SK = :a", missed + "PK"},
      {"SK = :a AND x = :b", missed + "PK"},
      {"PK = :p AND x = :a", missed + "SK"},
      {"PK < :p", unsupported},
      {"PK >= :p AND SK = :a", unsupported},
      {"PK > :p AND SK = :a", unsupported},
      {"PK BETWEEN :a AND :b", unsupported},
      {"begins_with(PK, :a)", unsupported},
  });
}

TEST_F(KeyConditionRulesTest, NamesTheKeyOfTheIndexThatIsQueried) {
  CheckRefusedKeyConditions({
      {"PK = :p", "Query condition missed key schema element: a.b", "Dots"},
      {"PK = :p AND SK = :a", "Query condition missed key schema element: n", "Numbers"},
  });
}

TEST_F(KeyConditionRulesTest, HasOneConditionIfTheTableHasNoSortKey) {
  const std::string message =
      "The number of query conditions (2) exceeds the number of key attributes defined in the "
      "schema (1)";
  const auto single = database().CreateTable({.name = "key-single", .sort_key = std::nullopt});
  ASSERT_THAT(single, IsOk());
  EXPECT_THAT(single->PutItem({.item = {{"PK", "p"}}}), IsOk());
  const auto page = single->Query({.key_condition = "PK = :p", .values = {{":p", "p"}}});
  ASSERT_THAT(page, IsOk());
  EXPECT_EQ(page->size(), 1u);
  EXPECT_THAT(
      single->Query({.key_condition = "PK = :p AND SK = :a", .values = {{":p", "p"}, {":a", "a"}}}),
      IsInvalid(message));
  CheckRefusedKeyConditions({{"#d = :p AND SK = :a", message, "Dots"}});
}

TEST_F(KeyConditionRulesTest, RejectsValuesThatDoNotHaveTheTypeOfTheKey) {
  const std::string message =
      "One or more parameter values were invalid: Condition parameter type does not match schema "
      "type";
  for (const std::string value : {":n", ":x", ":z", ":l", ":s"}) {
    CheckRefusedKeyConditions({{"PK = " + value, message}, {"PK = :p AND SK = " + value, message}});
  }
  CheckRefusedKeyConditions({
      {"PK = :p AND SK < :n", message},
      {"PK = :p AND SK BETWEEN :n AND :n", message},
      {"PK = :p AND begins_with(SK, :x)", message},
      {"PK = :p AND n = :a", message, "Numbers"},
      {"PK = :p AND n > :a", message, "Numbers"},
      {"PK = :p AND begins_with(n, :a)", message, "Numbers"},
  });
}

// DynamoDB refuses these types before it looks at the schema. It compares the value of an equals sign only with the
// schema.
TEST_F(KeyConditionRulesTest, RejectsTypesThatNoRangeOfAKeyCanHave) {
  const auto message = [](const std::string& op, const std::string& type) {
    return kInvalidCondition +
           "Incorrect operand type for operator or function; operator or function: " + op +
           ", operand type: " + type;
  };
  for (const std::string op : {"<", "<=", ">", ">="}) {
    CheckRefusedKeyConditions({{"PK = :p AND SK " + op + " :z", message(op, "BOOL")},
                               {"PK = :p AND SK " + op + " :l", message(op, "L")},
                               {"PK = :p AND SK " + op + " :s", message(op, "SS")}});
  }
  CheckRefusedKeyConditions({
      {"PK = :p AND SK BETWEEN :s AND :s", message("BETWEEN", "SS")},
      {"PK = :p AND begins_with(SK, :z)", message("begins_with", "BOOL")},
  });
}

TEST_F(KeyConditionRulesTest, RejectsEmptyKeyValues) {
  const auto empty = [](const std::string& key, const std::string& type = "string") {
    return "One or more parameter values are not valid. The AttributeValue for a key attribute "
           "cannot contain an empty " +
           type + " value. Key: " + key;
  };
  CheckRefusedKeyConditions({
      {"PK = :e", empty("PK")},
      {"PK = :p AND SK = :e", empty("SK")},
      {"PK = :p AND SK > :e", empty("SK")},
      {"PK = :p AND SK >= :e", empty("SK")},
      {"PK = :p AND SK BETWEEN :e AND :a", empty("SK")},
      {"PK = :p AND begins_with(SK, :e)", empty("SK")},
      {"PK = :p AND x = :y",
       "One or more parameter values are not valid. A value specified for a secondary index key is "
       "not supported. The AttributeValue for a key attribute cannot contain an empty binary "
       "value. IndexName: Binaries, IndexKey: x",
       "Binaries"},
  });
  const auto binaries =
      database().CreateTable({.name = "binaries", .sort_key = {{"SK", AttributeType::kB}}});
  ASSERT_THAT(binaries, IsOk());
  EXPECT_THAT(binaries->Query(
                  {.key_condition = "PK = :p AND SK = :y", .values = {{":p", "p"}, {":y", B("")}}}),
              IsInvalid(empty("SK", "binary")));
}

// Query first reports the errors that any condition can have. Then it reports
// the errors that only a key condition can have.
TEST_F(KeyConditionRulesTest, ReportsTheFaultsOfAnyConditionFirst) {
  const std::string bounds =
      "The BETWEEN operator requires upper bound to be greater than or equal to lower bound; lower "
      "bound operand: AttributeValue: {S:b}, upper bound operand: AttributeValue: {S:a}";
  CheckRefusedKeyConditions({
      {"", kInvalidCondition + "The expression can not be empty;"},
      {"PK = :p AND SK", kInvalidCondition + SyntaxError("<EOF>", "SK")},
      {"PK = 'x'", kInvalidCondition + SyntaxError("'", "= 'x")},
      {"((PK = :p))", kInvalidCondition + "The expression has redundant parentheses;"},
      {"PK = :p OR foo(SK)", kInvalidCondition + "Invalid function name; function: foo"},
      {"PK = :p OR date = :a",
       kInvalidCondition + "Attribute name is a reserved keyword; reserved keyword: date"},
      {"PK = :p OR SK = :undefined",
       kInvalidCondition +
           "An expression attribute value used in expression is not defined; attribute "
           "value: :undefined"},
      {"PK = PK", kInvalidCondition +
                      "The first operand must be distinct from the remaining operands for this "
                      "operator or function; operator: =, first operand: [PK]"},
      {"PK = :p AND begins_with(SK, :n)",
       kInvalidCondition + "Incorrect operand type for operator or function; operator or function: "
                           "begins_with, operand type: N"},
      {"PK = :p AND SK BETWEEN :b AND :a", kInvalidCondition + bounds},
  });
}

}  // namespace
}  // namespace dolmen::behaviour
