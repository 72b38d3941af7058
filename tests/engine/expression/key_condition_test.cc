#include "engine/expression/key_condition.h"

#include <gmock/gmock.h>

#include <string>

#include "engine/expression/syntax/condition_parser.h"
#include "tests/support/items.h"

namespace dolmen::engine {
namespace {

using test::B;
using test::IsOkAndHolds;
using test::StatusIs;

using Op = SortKeyCondition::Operator;

const KeyAttribute kPk = {"pk", AttributeType::kS};
const KeyAttribute kSk = {"sk", AttributeType::kS};
const KeyAttribute kNumberSk = {"sk", AttributeType::kN};

const Values kValues = {{":p", "p"}, {":a", "a"}, {":b", "b"}, {":n", 7}};

std::string Text(Op op) {
  static constexpr const char* kNames[] = {"=", "<", "<=", ">", ">=", "between", "begins with"};
  return kNames[static_cast<int>(op)];
}

// Formats a resolved key condition, for example: pk = "p", sk between "a" and "b".
std::string Text(const KeyCondition& condition, const KeySchema& keys) {
  std::string text;
  for (std::size_t i = 0; i < condition.equal.size(); ++i) {
    const KeyAttribute& key = keys.attributes()[i];
    text += (text.empty() ? "" : ", ") + key.name + " = " +
            AttributeView(key.type, condition.equal[i]).ToString();
  }
  if (!condition.last) return text;
  text += ", " + std::string(condition.last->attribute) + " " + Text(condition.last->op) + " " +
          condition.last->value.ToString();
  if (condition.last->op == Op::kBetween) text += " and " + condition.last->upper.ToString();
  return text;
}

// Parses a key condition, binds it and resolves it against a schema. Returns its text form or the
// error.
Result<std::string> Resolve(const std::string& text, const KeySchema& keys,
                            const Values& values = kValues, const Names& names = {}) {
  const auto syntax = ParseCondition(text, ExpressionKind::kKeyCondition);
  if (!syntax.ok()) return syntax.status();
  auto placeholders = Placeholders::Make(names, values, {{ExpressionKind::kKeyCondition, true}});
  if (!placeholders.ok()) return placeholders.status();
  const auto terms = BindKeyCondition(*syntax, *placeholders);
  if (!terms.ok()) return terms.status();
  const auto condition = ResolveKeyCondition(*terms, keys);
  if (!condition.ok()) return condition.status();
  return Text(*condition, keys);
}

Result<std::string> Resolve(const std::string& text, const std::optional<KeyAttribute>& sort = kSk,
                            const Values& values = kValues, const Names& names = {},
                            const KeyAttribute& partition = kPk) {
  return Resolve(text, KeySchema(partition, sort), values, names);
}

// Returns the error message for an invalid key condition.
std::string RefusalOfKeys(const std::string& text, std::optional<KeyAttribute> sort = kSk,
                          const Values& values = kValues) {
  const Result<std::string> result = Resolve(text, sort, values);
  EXPECT_EQ(result.status().code(), StatusCode::kValidation) << text;
  return result.status().message();
}

TEST(KeyConditionTest, SelectsAPartitionOrARangeOfItsSortKeys) {
  const struct {
    const char* text;
    const char* range;
  } cases[] = {
      {"pk = :p", "pk = \"p\""},
      {"(pk = :p)", "pk = \"p\""},
      {":p = pk", "pk = \"p\""},
      {"pk = :p AND sk = :a", "pk = \"p\", sk = \"a\""},
      {"pk = :p AND sk < :a", "pk = \"p\", sk < \"a\""},
      {"pk = :p AND sk <= :a", "pk = \"p\", sk <= \"a\""},
      {"pk = :p AND sk > :a", "pk = \"p\", sk > \"a\""},
      {"pk = :p AND sk >= :a", "pk = \"p\", sk >= \"a\""},
      {"pk = :p AND sk BETWEEN :a AND :b", "pk = \"p\", sk between \"a\" and \"b\""},
      {"pk = :p AND begins_with(sk, :a)", "pk = \"p\", sk begins with \"a\""},
      {"sk < :a AND pk = :p", "pk = \"p\", sk < \"a\""},
      {"sk BETWEEN :a AND :b AND pk = :p", "pk = \"p\", sk between \"a\" and \"b\""},
      {"(pk = :p) AND (sk > :a)", "pk = \"p\", sk > \"a\""},
      {"(pk = :p AND sk > :a)", "pk = \"p\", sk > \"a\""},
      {":p = pk AND :a = sk", "pk = \"p\", sk = \"a\""},
      {":p = pk AND :a < sk", "pk = \"p\", sk > \"a\""},
      {":p = pk AND :a <= sk", "pk = \"p\", sk >= \"a\""},
      {":p = pk AND :a > sk", "pk = \"p\", sk < \"a\""},
      {":p = pk AND :a >= sk", "pk = \"p\", sk <= \"a\""},
  };
  for (const auto& c : cases) EXPECT_THAT(Resolve(c.text), IsOkAndHolds(c.range)) << c.text;
}

TEST(KeyConditionTest, NamesMayBePlaceholders) {
  EXPECT_THAT(
      Resolve("#p = :p AND begins_with(#s, :a)", kSk, kValues, {{"#p", "pk"}, {"#s", "sk"}}),
      IsOkAndHolds("pk = \"p\", sk begins with \"a\""));
  EXPECT_THAT(
      Resolve("#p = :p", std::nullopt, kValues, {{"#p", "a.b"}}, {"a.b", AttributeType::kS}),
      IsOkAndHolds("a.b = \"p\""));
}

TEST(KeyConditionTest, KeysMayBeNumbersAndBinaries) {
  EXPECT_THAT(Resolve("pk = :p AND sk > :n", kNumberSk), IsOkAndHolds("pk = \"p\", sk > 7"));
  EXPECT_THAT(Resolve("pk = :p AND begins_with(sk, :x)", KeyAttribute{"sk", AttributeType::kB},
                      {{":p", "p"}, {":x", B("\x01")}}),
              IsOkAndHolds("pk = \"p\", sk begins with x\"01\""));
}

TEST(KeyConditionTest, RejectsOperatorsThatKeysDoNotAllow) {
  const struct {
    const char* text;
    const char* op;
  } cases[] = {
      {"pk = :p OR sk = :a", "OR"},
      {"NOT pk = :p", "NOT"},
      {"pk = :p AND NOT sk = :a", "NOT"},
      {"pk = :p AND sk IN (:a)", "IN"},
      {"pk <> :p", "<>"},
      {"pk = :p AND attribute_exists(sk)", "attribute_exists"},
      {"pk = :p AND attribute_not_exists(sk)", "attribute_not_exists"},
      {"pk = :p AND contains(sk, :a)", "contains"},
      {"(pk = :p AND sk = :a) OR pk = :p", "OR"},
  };
  for (const auto& c : cases) {
    EXPECT_EQ(RefusalOfKeys(c.text),
              std::string("Invalid operator used in KeyConditionExpression: ") + c.op)
        << c.text;
  }
  EXPECT_EQ(RefusalOfKeys("pk = :p AND attribute_type(sk, :t)", kSk, {{":p", "p"}, {":t", "S"}}),
            "Invalid operator used in KeyConditionExpression: attribute_type");
}

TEST(KeyConditionTest, RejectsNestedOperations) {
  for (const char* text : {"pk = :p AND size(sk) > :n", "size(pk) = :n", "pk = size(sk)",
                           "pk = :p AND sk BETWEEN size(sk) AND :n"}) {
    EXPECT_EQ(RefusalOfKeys(text), "KeyConditionExpressions cannot contain nested operations")
        << text;
  }
}

TEST(KeyConditionTest, BetweenAndBeginsWithRequireTheKeyAsFirstOperand) {
  EXPECT_EQ(RefusalOfKeys("pk = :p AND :a BETWEEN sk AND :b"),
            "Invalid condition in KeyConditionExpression: BETWEEN operator must have the key "
            "attribute as its first operand");
  EXPECT_EQ(RefusalOfKeys("pk = :p AND begins_with(:a, sk)"),
            "Invalid condition in KeyConditionExpression: begins_with operator must have the key "
            "attribute as its first operand");
}

TEST(KeyConditionTest, EachConditionNamesOneKeyAttribute) {
  const std::string many =
      "Invalid condition in KeyConditionExpression: Multiple attribute names used in one condition";
  EXPECT_EQ(RefusalOfKeys("pk = sk"), many);
  EXPECT_EQ(RefusalOfKeys("pk = :p AND sk BETWEEN pk AND :a"), many);
  EXPECT_EQ(RefusalOfKeys("pk = :p AND begins_with(sk, pk)"), many);
  EXPECT_EQ(RefusalOfKeys("pk = :p AND :a = :b"),
            "Invalid condition in KeyConditionExpression: No key attribute specified");
  EXPECT_EQ(RefusalOfKeys("pk.a = :p"),
            "KeyConditionExpressions cannot have conditions on nested attributes");
  EXPECT_EQ(RefusalOfKeys("pk = :p AND sk[0] = :a"),
            "KeyConditionExpressions cannot have conditions on nested attributes");
}

TEST(KeyConditionTest, RejectsTwoConditionsOnOneAttribute) {
  const std::string message = "KeyConditionExpressions must only contain one condition per key";
  EXPECT_EQ(RefusalOfKeys("pk = :p AND pk = :a"), message);
  EXPECT_EQ(RefusalOfKeys("pk = :p AND sk > :a AND sk < :b"), message);
}

TEST(KeyConditionTest, RejectsMoreThanTwoConditionsOnATable) {
  EXPECT_EQ(RefusalOfKeys("pk = :p AND sk = :a AND x = :b"),
            "Conditions can be of length 1 or 2 only");
  EXPECT_EQ(RefusalOfKeys("pk = :p AND (sk = :a AND x = :b)"),
            "Conditions can be of length 1 or 2 only");
}

TEST(KeyConditionTest, ReportsFaultsOfConditionsBeforeFaultsOfKeys) {
  const std::string prefix = "Invalid KeyConditionExpression: ";
  EXPECT_EQ(RefusalOfKeys("pk = :p AND sk"),
            prefix + "Syntax error; token: \"<EOF>\", near: \"sk\"");
  EXPECT_EQ(RefusalOfKeys("pk = :z OR sk = :a"),
            prefix +
                "An expression attribute value used in expression is not defined; attribute value: "
                ":z");
  EXPECT_EQ(RefusalOfKeys("pk = :p AND begins_with(sk, :n)"),
            prefix +
                "Incorrect operand type for operator or function; operator or function: "
                "begins_with, operand type: N");
  EXPECT_EQ(RefusalOfKeys("pk = pk"),
            prefix +
                "The first operand must be distinct from the remaining operands for this operator "
                "or function; operator: =, first operand: [pk]");
  EXPECT_EQ(RefusalOfKeys("pk = :p AND sk BETWEEN :b AND :a"),
            prefix +
                "The BETWEEN operator requires upper bound to be greater than or equal to lower "
                "bound; lower bound operand: AttributeValue: {S:b}, upper bound operand: "
                "AttributeValue: {S:a}");
}

TEST(KeyConditionTest, RejectsAttributesOutsideTheKey) {
  EXPECT_EQ(RefusalOfKeys("sk = :a"), "Query condition missed key schema element: pk");
  EXPECT_EQ(RefusalOfKeys("sk = :a AND x = :p"), "Query condition missed key schema element: pk");
  EXPECT_EQ(RefusalOfKeys("pk = :p AND x = :a"), "Query condition missed key schema element: sk");
  EXPECT_EQ(RefusalOfKeys("pk = :p AND sk = :a", std::nullopt),
            "The number of query conditions (2) exceeds the number of key attributes defined in "
            "the schema (1)");
  EXPECT_THAT(Resolve("pk = :p", std::nullopt), IsOkAndHolds("pk = \"p\""));
}

TEST(KeyConditionTest, ThePartitionKeyRequiresEquality) {
  for (const char* text :
       {"pk < :p", "pk BETWEEN :a AND :b", "begins_with(pk, :p)", "pk > :p AND sk = :a"}) {
    EXPECT_EQ(RefusalOfKeys(text), "Query key condition not supported") << text;
  }
}

TEST(KeyConditionTest, RejectsValuesOfAnotherTypeThanTheKey) {
  const std::string message =
      "One or more parameter values were invalid: Condition parameter type does not match schema "
      "type";
  EXPECT_EQ(RefusalOfKeys("pk = :n"), message);
  EXPECT_EQ(RefusalOfKeys("pk = :p AND sk > :n"), message);
  EXPECT_EQ(RefusalOfKeys("pk = :p AND sk = :a", kNumberSk), message);
  EXPECT_EQ(RefusalOfKeys("pk = :p AND begins_with(sk, :a)", kNumberSk), message);
  EXPECT_EQ(RefusalOfKeys("pk = :p", kSk, {{":p", true}}), message);
  EXPECT_EQ(RefusalOfKeys("pk = :p", kSk, {{":p", StringSet{"p"}}}), message);
}

TEST(KeyConditionTest, RejectsEmptyValues) {
  EXPECT_EQ(RefusalOfKeys("pk = :p", kSk, {{":p", ""}}),
            "One or more parameter values are not valid. The AttributeValue for a key attribute "
            "cannot contain an empty string value. Key: pk");
  EXPECT_EQ(RefusalOfKeys("pk = :p AND sk > :e", kSk, {{":p", "p"}, {":e", ""}}),
            "One or more parameter values are not valid. The AttributeValue for a key attribute "
            "cannot contain an empty string value. Key: sk");
  EXPECT_EQ(RefusalOfKeys("pk = :p AND sk = :e", KeyAttribute{"sk", AttributeType::kB},
                          {{":p", "p"}, {":e", B("")}}),
            "One or more parameter values are not valid. The AttributeValue for a key attribute "
            "cannot contain an empty binary value. Key: sk");
}

// https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/GSI.DesignPattern.MultiAttributeKeys.html
TEST(KeyConditionTest, MultiAttributeKeysAreMatchedFromLeftToRight) {
  const KeySchema keys({{"a"}, {"b"}}, {{"s"}, {"t"}, {"u"}});
  const struct {
    const char* text;
    const char* range;
  } cases[] = {
      {"a = :p AND b = :p", "a = \"p\", b = \"p\""},
      {"b = :p AND a = :a", "a = \"a\", b = \"p\""},
      {"a = :p AND b = :p AND s > :a", "a = \"p\", b = \"p\", s > \"a\""},
      {"a = :p AND b = :p AND t < :b AND s = :a", "a = \"p\", b = \"p\", s = \"a\", t < \"b\""},
      {"a = :p AND b = :p AND s = :a AND t = :b AND begins_with(u, :a)",
       "a = \"p\", b = \"p\", s = \"a\", t = \"b\", u begins with \"a\""},
  };
  for (const auto& c : cases) {
    Values values;
    for (const auto& [token, value] : kValues) {
      if (std::string_view(c.text).find(token) != std::string_view::npos) {
        values.emplace(token, value);
      }
    }
    EXPECT_THAT(Resolve(c.text, keys, values), IsOkAndHolds(c.range)) << c.text;
  }
}

TEST(KeyConditionTest, MultiAttributeKeysAllowNoGaps) {
  const KeySchema keys({{"a"}, {"b"}}, {{"s"}, {"t"}});
  const struct {
    const char* text;
    const char* message;
  } cases[] = {
      {"a = :p", "Query condition missed key schema element: b"},
      {"a = :p AND s = :p", "Query condition missed key schema element: b"},
      {"a = :p AND b = :p AND t = :p", "Query condition missed key schema element: s"},
      {"a = :p AND b = :p AND s > :p AND t = :p", "Query key condition not supported"},
      {"a = :p AND b > :p", "Query key condition not supported"},
  };
  for (const auto& c : cases) {
    EXPECT_THAT(Resolve(c.text, keys, {{":p", "p"}}), StatusIs(StatusCode::kValidation, c.message))
        << c.text;
  }
}

}  // namespace
}  // namespace dolmen::engine
