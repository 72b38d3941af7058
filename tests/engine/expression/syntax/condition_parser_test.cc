#include <gmock/gmock.h>

#include <string>

#include "engine/expression/syntax/parser.h"
#include "tests/engine/expression/syntax_examples.h"
#include "tests/engine/expression/syntax_text.h"
#include "tests/support/status_matchers.h"
#include "tests/support/text.h"

namespace dolmen::engine {
namespace {

using test::IsOk;
using test::IsOkAndHolds;
using test::Repeat;
using test::StatusIs;

Result<std::string> ConditionTree(std::string_view text) {
  const Result<ConditionSyntax> syntax = ParseCondition(text, ExpressionKind::kCondition);
  if (!syntax.ok()) return syntax.status();
  return SyntaxText(*syntax);
}

void ExpectConditionTrees(std::initializer_list<SyntaxExample> examples) {
  ExpectTrees(ConditionTree, examples);
}

// Returns the error message for an invalid text, without "Invalid ConditionExpression: ".
std::string RefusalOfCondition(std::string_view text) {
  const std::string prefix = "Invalid ConditionExpression: ";
  const Status status = ConditionTree(text).status();
  EXPECT_THAT(status, StatusIs(StatusCode::kValidation, testing::StartsWith(prefix))) << text;
  return status.message().substr(std::min(prefix.size(), status.message().size()));
}

TEST(ConditionParserTest, ReadsComparisons) {
  ExpectConditionTrees({
      {"a = :x", "(= a :x)"},
      {"a<>:x", "(<> a :x)"},
      {"a < :x", "(< a :x)"},
      {"a <= :x", "(<= a :x)"},
      {"a > :x", "(> a :x)"},
      {"a >= :x", "(>= a :x)"},
      {":x = a", "(= :x a)"},
      {":x = :x", "(= :x :x)"},
      {"a = b", "(= a b)"},
      {"#a.b[0].#c = :x", "(= #a.b[0].#c :x)"},
      {"\ta\r\n=\n:x ", "(= a :x)"},
  });
}

TEST(ConditionParserTest, ReadsBetween) {
  ExpectConditionTrees({
      {"a BETWEEN :l AND :h", "(BETWEEN a :l :h)"},
      {"a between :l and :h", "(BETWEEN a :l :h)"},
      {"a BETWEEN b AND size(c)", "(BETWEEN a b (size c))"},
      {":v BETWEEN a AND b", "(BETWEEN :v a b)"},
      {"a BETWEEN :l AND :h AND b = :x", "(and (BETWEEN a :l :h) (= b :x))"},
      {"a BETWEEN :l AND :h OR b BETWEEN :l AND :h", "(or (BETWEEN a :l :h) (BETWEEN b :l :h))"},
  });
}

TEST(ConditionParserTest, ReadsIn) {
  ExpectConditionTrees({
      {"a IN (:x)", "(IN a :x)"},
      {"a in (:x, :y,b,size(c))", "(IN a :x :y b (size c))"},
      {":x IN (a, b)", "(IN :x a b)"},
      {"size(a) IN (:x)", "(IN (size a) :x)"},
      {"a IN ((:x), (b))", "(IN a :x b)"},
  });
}

TEST(ConditionParserTest, ReadsFunctions) {
  ExpectConditionTrees({
      {"attribute_exists(a)", "(attribute_exists a)"},
      {"attribute_not_exists(a.b)", "(attribute_not_exists a.b)"},
      {"attribute_type(a, :t)", "(attribute_type a :t)"},
      {"begins_with(a, :p)", "(begins_with a :p)"},
      {"contains(a, :x)", "(contains a :x)"},
      {"contains (a , :x )", "(contains a :x)"},
      {"contains((a), (:x))", "(contains a :x)"},
      {"size(a) > :n", "(> (size a) :n)"},
      {":n < size(a.b[1])", "(< :n (size a.b[1]))"},
      {"size(:v) = size(a)", "(= (size :v) (size a))"},
  });
}

TEST(ConditionParserTest, GroupsAndBeforeOr) {
  ExpectConditionTrees({
      {"a=:x AND b=:y", "(and (= a :x) (= b :y))"},
      {"a=:x AND b=:y AND c=:z", "(and (= a :x) (= b :y) (= c :z))"},
      {"a=:x OR b=:y OR c=:z", "(or (= a :x) (= b :y) (= c :z))"},
      {"a=:x OR b=:y AND c=:z", "(or (= a :x) (and (= b :y) (= c :z)))"},
      {"a=:x AND b=:y OR c=:z", "(or (and (= a :x) (= b :y)) (= c :z))"},
      {"(a=:x OR b=:y) AND c=:z", "(and (or (= a :x) (= b :y)) (= c :z))"},
      {"a=:x aNd b=:y oR c=:z", "(or (and (= a :x) (= b :y)) (= c :z))"},
  });
}

TEST(ConditionParserTest, GroupsNotBeforeAnd) {
  ExpectConditionTrees({
      {"NOT a = :x", "(not (= a :x))"},
      {"not(a = :x)", "(not (= a :x))"},
      {"NOT a = :x AND b = :y", "(and (not (= a :x)) (= b :y))"},
      {"a = :x AND NOT b = :y OR NOT c = :z", "(or (and (= a :x) (not (= b :y))) (not (= c :z)))"},
      {"NOT (a = :x AND b = :y)", "(not (and (= a :x) (= b :y)))"},
      {"NOT a IN (:x)", "(not (IN a :x))"},
      {"NOT a BETWEEN :x AND :y AND b = :z", "(and (not (BETWEEN a :x :y)) (= b :z))"},
      {"NOT attribute_exists(a)", "(not (attribute_exists a))"},
      {"NOT NOT a = :x", "(= a :x)"},
      {"NOT NOT NOT a = :x", "(not (= a :x))"},
      {"NOT (NOT a = :x)", "(not (not (= a :x)))"},
  });
}

TEST(ConditionParserTest, ReadsParentheses) {
  ExpectConditionTrees({
      {"(a = :x)", "(= a :x)"},
      {"(a) = (:x)", "(= a :x)"},
      {"(a) = :x AND (b = :y)", "(and (= a :x) (= b :y))"},
      {"((a) = :x)", "(= a :x)"},
      {"((a = :x) AND (b = :y))", "(and (= a :x) (= b :y))"},
      {"((a = :x) AND b = :y)", "(and (= a :x) (= b :y))"},
      {"(NOT (a = :x))", "(not (= a :x))"},
      {"(NOT NOT (a = :x))", "(= a :x)"},
      {"(attribute_exists(a))", "(attribute_exists a)"},
      {"(size(a)) = :x", "(= (size a) :x)"},
      {"size((a)) = :x", "(= (size a) :x)"},
      {"(a) BETWEEN (:l) AND (:h)", "(BETWEEN a :l :h)"},
      {"(a) IN (:l)", "(IN a :l)"},
      {"((a) IN (:l))", "(IN a :l)"},
  });
}

TEST(ConditionParserTest, TheStartOfAPathMayBeInParentheses) {
  ExpectConditionTrees({
      {"(a.b).c = :x", "(= a.b.c :x)"},
      {"(a)[1] = :x", "(= a[1] :x)"},
      {"((a).b).c = :x", "(= a.b.c :x)"},
      {"((a).b) = :x", "(= a.b :x)"},
      {":x = (a)[0][1]", "(= :x a[0][1])"},
      {"attribute_exists((a).b)", "(attribute_exists a.b)"},
      {"((a).b = :x)", "(= a.b :x)"},
      {"b = (a).c AND (a).d = b", "(and (= b a.c) (= a.d b))"},
  });
}

TEST(ConditionParserTest, KeywordsOfUpdatesAreNames) {
  ExpectConditionTrees({{"remove = :x", "(= remove :x)"}});
  EXPECT_EQ(RefusalOfCondition("set = :x"),
            "Attribute name is a reserved keyword; reserved keyword: set");
}

struct SyntaxErrorCase {
  const char* text;
  const char* token;  // the unexpected token
  const char* near;   // the tokens around it
};

constexpr SyntaxErrorCase kSyntaxErrors[] = {
    {"a", "<EOF>", "a"},
    {":x", "<EOF>", ":x"},
    {"(a)", "<EOF>", ")"},
    {"a =", "<EOF>", "="},
    {"= :x", "=", "= :x"},
    {"a = = :x", "=", "= = :x"},
    {"a == :x", "=", "== :x"},
    {"a != :x", "!", "a !="},
    {"a < > :x", ">", "< > :x"},
    {"a = 1", "1", "= 1"},
    {"a = \"x\"", "\"", "= \"x"},
    {"a = 'x'", "'", "= 'x"},
    {"a = :x b", "b", ":x b"},
    {"a = :x = :y", "=", ":x = :y"},
    {"a = :x AND", "<EOF>", "AND"},
    {"AND a = :x", "AND", "AND a"},
    {"a AND b = :x", "AND", "a AND b"},
    {"a = :x AND b", "<EOF>", "b"},
    {"a = :x AND b OR c = :y", "OR", "b OR c"},
    {"a = :x OR (b) OR c = :y", "OR", ") OR c"},
    {"NOT a", "<EOF>", "a"},
    {"NOT", "<EOF>", "NOT"},
    {"a NOT = :x", "NOT", "a NOT ="},
    {"a NOT IN (:x)", "NOT", "a NOT IN"},
    {"(a = :x", "<EOF>", ":x"},
    {"a = :x)", ")", ":x)"},
    {"()", ")", "()"},
    {"a = (b = :x)", "=", "b = :x"},
    {"(a = :x) = :y", "=", ") = :y"},
    {"(a = :x) IN (:y)", "IN", ") IN ("},
    {"a IN :x", ":x", "IN :x"},
    {"a IN ()", ")", "()"},
    {"a IN (:x", "<EOF>", ":x"},
    {"a IN (:x,)", ")", ",)"},
    {"a BETWEEN :x", "<EOF>", ":x"},
    {"a BETWEEN :x OR :y", "OR", ":x OR :y"},
    {"a BETWEEN :x, :y", ",", ":x, :y"},
    {"a BETWEEN (:x AND :y)", "AND", ":x AND :y"},
    {"size() = :x", ")", "() ="},
    {"size(a = :x", "=", "a = :x"},
    {"size = :x AND b", "<EOF>", "b"},
    {"contains(a :x)", ":x", "a :x)"},
    {"a + b = :x", "+", "a + b"},
    {"a = b + :x", "+", "b + :x"},
    {"a = -:x", "-", "= -:x"},
    {"sort-key = :x", "-", "sort-key"},
    {"(a).0 = :x", "0", ".0 ="},
    {"(:x).a = :x", ".", ").a"},
    {"attribute_exists(a).b = :x", ".", ").b"},
    {"between = :x", "between", "between ="},
};

TEST(ConditionParserTest, SyntaxErrorsShowTheUnexpectedToken) {
  for (const SyntaxErrorCase& c : kSyntaxErrors) {
    EXPECT_EQ(RefusalOfCondition(c.text),
              std::string("Syntax error; token: \"") + c.token + "\", near: \"" + c.near + "\"")
        << c.text;
  }
}

TEST(ConditionParserTest, RejectsRedundantParentheses) {
  for (const char* text :
       {"((a = :x))", "(((a = :x)))", "((a)) = :x", "a = ((:x))", "((size(a))) = :x",
        "a = :x AND ((b = :y))", "((a = :x AND b = :y))", "NOT ((a = :x))", "a IN (((:x)))",
        "((attribute_exists(a)))", "(((a).b)) = :x", "attribute_exists(((a)))"}) {
    EXPECT_EQ(RefusalOfCondition(text), "The expression has redundant parentheses;") << text;
  }
}

TEST(ConditionParserTest, RejectsUnknownFunctions) {
  for (const char* text : {"foo(a)", "foo(a) = :x", "a = foo(b)", "NOT foo(a, :x)", "a IN (foo(b))",
                           "size(foo(b)) = :x", "foo(a) AND b = :x"}) {
    EXPECT_EQ(RefusalOfCondition(text), "Invalid function name; function: foo") << text;
  }
  EXPECT_EQ(RefusalOfCondition("Size(a) = :x"), "Invalid function name; function: Size");
  EXPECT_EQ(RefusalOfCondition("Begins_With(a, :x)"),
            "Invalid function name; function: Begins_With");
  EXPECT_EQ(RefusalOfCondition("if_not_exists(a, :x) = :y"),
            "The function is not allowed in a condition expression; function: if_not_exists");
}

TEST(ConditionParserTest, RejectsMisusedFunctions) {
  const SyntaxExample cases[] = {
      {"size(a)", "size"},
      {"(size(a))", "size"},
      {"NOT size(a)", "size"},
      {"size(a) AND b = :x", "size"},
      {"b = :x OR size(a)", "size"},
      {"attribute_exists(a) = :x", "attribute_exists"},
      {":x = contains(a, :y)", "contains"},
      {"begins_with(a, :x) IN (:y)", "begins_with"},
      {"a IN (attribute_not_exists(b))", "attribute_not_exists"},
      {"a BETWEEN attribute_type(b, :t) AND :x", "attribute_type"},
      {"attribute_exists(contains(a, :x))", "contains"},
      {"size(attribute_exists(a)) = :x", "attribute_exists"},
      {"(attribute_exists(a)) = :x", "attribute_exists"},
  };
  for (const auto& c : cases) {
    EXPECT_EQ(RefusalOfCondition(c.text),
              std::string("The function is not allowed to be used this way in an expression; "
                          "function: ") +
                  c.tree)
        << c.text;
  }
}

TEST(ConditionParserTest, RejectsReservedWords) {
  EXPECT_EQ(RefusalOfCondition("status = :x"),
            "Attribute name is a reserved keyword; reserved keyword: status");
  EXPECT_EQ(RefusalOfCondition("a.Name = :x"),
            "Attribute name is a reserved keyword; reserved keyword: Name");
  EXPECT_EQ(RefusalOfCondition("a = :x AND contains(date, :x) AND time = :y"),
            "Attribute name is a reserved keyword; reserved keyword: date");
}

// Each text in this test has the errors of the next text and one more error. DynamoDB reports the
// additional error first, so the function under test must report it, too.
TEST(ConditionParserTest, ReportsFaultsInDynamoDBsOrder) {
  EXPECT_THAT(RefusalOfCondition("name = size(a) AND size(b) AND foo(c) AND ((d = :x)) AND"),
              testing::StartsWith("Syntax error"));
  EXPECT_EQ(RefusalOfCondition("name = size(a) AND size(b) AND foo(c) AND ((d = :x))"),
            "The expression has redundant parentheses;");
  EXPECT_EQ(RefusalOfCondition("name = size(a) AND size(b) AND foo(c)"),
            "Invalid function name; function: foo");
  EXPECT_EQ(RefusalOfCondition("name = size(a) AND size(b)"),
            "The function is not allowed to be used this way in an expression; function: size");
  EXPECT_EQ(RefusalOfCondition("name = size(a)" + Repeat(300, " AND a<:x")),
            "Attribute name is a reserved keyword; reserved keyword: name");
}

TEST(ConditionParserTest, RejectsMoreThan300OperatorsAndFunctions) {
  EXPECT_THAT(ConditionTree("a=:x" + Repeat(149, " OR a=:x")), IsOk());  // 150 + 149
  EXPECT_THAT(ConditionTree("NOT a=:x" + Repeat(149, " OR a=:x")), IsOk());
  EXPECT_EQ(RefusalOfCondition("NOT size(a)=:x" + Repeat(149, " OR a=:x")),
            "The expression contains too many operators; operator count: 301");
  EXPECT_EQ(RefusalOfCondition("a IN (:x)" + Repeat(150, " OR a BETWEEN :x AND :y")),
            "The expression contains too many operators; operator count: 301");
  EXPECT_THAT(ConditionTree("a IN (:x" + Repeat(1000, ",:x") + ")"), IsOk());  // one operator
  EXPECT_EQ(RefusalOfCondition(Repeat(301, "NOT ") + "a = :x"),
            "The expression contains too many operators; operator count: 302");
}

// The first expression has the deepest nesting that is valid: no expression within the limits nests
// deeper.
TEST(ConditionParserTest, ReadsTheDeepestNestingWithinTheLimits) {
  EXPECT_THAT(ConditionTree("(" + Repeat(298, "NOT (") + "size((a)) = :x" + Repeat(298, ")") + ")"),
              IsOk());
  EXPECT_EQ(RefusalOfCondition(Repeat(400, "NOT (") + "a = :x" + Repeat(400, ")")),
            "The expression contains too many operators; operator count: 401");
  EXPECT_EQ(RefusalOfCondition(Repeat(2000, "(") + "a = :x" + Repeat(2000, ")")),
            "The expression has redundant parentheses;");
  EXPECT_EQ(RefusalOfCondition(Repeat(600, "size(") + "a" + Repeat(600, ")") + "=:x"),
            "The expression contains too many operators; operator count: 601");
}

TEST(ConditionParserTest, MessagesBeginWithTheKindOfExpression) {
  EXPECT_THAT(ParseCondition("a", ExpressionKind::kFilter),
              StatusIs(StatusCode::kValidation,
                       testing::StartsWith("Invalid FilterExpression: Syntax error; ")));
  EXPECT_THAT(ParseCondition("a", ExpressionKind::kKeyCondition),
              StatusIs(StatusCode::kValidation,
                       testing::StartsWith("Invalid KeyConditionExpression: Syntax error; ")));
}

}  // namespace
}  // namespace dolmen::engine
