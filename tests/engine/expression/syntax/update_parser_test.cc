#include <gmock/gmock.h>

#include <algorithm>
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

Result<std::string> UpdateTree(std::string_view text) {
  const Result<UpdateSyntax> syntax = ParseUpdate(text);
  if (!syntax.ok()) return syntax.status();
  return SyntaxText(*syntax);
}

void ExpectUpdateTrees(std::initializer_list<SyntaxExample> examples) {
  ExpectTrees(UpdateTree, examples);
}

// Returns the error message for an invalid text, without "Invalid UpdateExpression: ".
std::string RefusalOfUpdate(std::string_view text) {
  const std::string prefix = "Invalid UpdateExpression: ";
  const Status status = UpdateTree(text).status();
  EXPECT_THAT(status, StatusIs(StatusCode::kValidation, testing::StartsWith(prefix))) << text;
  return status.message().substr(std::min(prefix.size(), status.message().size()));
}

TEST(UpdateParserTest, ReadsSet) {
  ExpectUpdateTrees({
      {"SET a = :x", "set a = :x"},
      {"set a=:x,b=c", "set a = :x; set b = c"},
      {"SET a.b[0].#c = d[1]", "set a.b[0].#c = d[1]"},
      {"SET a = b + :x", "set a = (+ b :x)"},
      {"SET a = :x - b", "set a = (- :x b)"},
      {"SET a = :a+:b", "set a = (+ :a :b)"},
      {"SET a = if_not_exists(a, :x)", "set a = (if_not_exists a :x)"},
      {"SET a = list_append(a, :x)", "set a = (list_append a :x)"},
      {"SET a = if_not_exists(a, :x) + :y", "set a = (+ (if_not_exists a :x) :y)"},
      {"SET a = list_append(if_not_exists(a, :e), b)",
       "set a = (list_append (if_not_exists a :e) b)"},
      {"SET a = if_not_exists(a, if_not_exists(b, :x))",
       "set a = (if_not_exists a (if_not_exists b :x))"},
  });
}

// list_append is valid only as the whole value of SET. DynamoDB Local, Amazon's implementation for
// tests, also rejects it as an operand of +, - or another function.
TEST(UpdateParserTest, RejectsListAppendAsAnOperand) {
  for (const char* value :
       {"list_append(list_append(a, :x), :x)", "list_append(:x, list_append(a, :x))",
        "if_not_exists(a, list_append(a, :x))", "list_append(a, :x) + :x",
        ":x - (list_append(a, b))", "if_not_exists(list_append(a, :x), :x)"}) {
    EXPECT_THAT(ParseUpdate(std::string("SET a = ") + value),
                StatusIs(StatusCode::kValidation,
                         "Invalid UpdateExpression: The function is not allowed to be used this "
                         "way in an expression; function: list_append"))
        << value;
  }
}

TEST(UpdateParserTest, ReadsParentheses) {
  ExpectUpdateTrees({
      {"SET a = (:x)", "set a = :x"},
      {"SET a = (b + :x)", "set a = (+ b :x)"},
      {"SET a = (b) + (:x)", "set a = (+ b :x)"},
      {"SET a = ((b) + (:x))", "set a = (+ b :x)"},
      {"SET a = (if_not_exists(a, (:x)))", "set a = (if_not_exists a :x)"},
      {"SET a = (if_not_exists((a), :x)) + :y", "set a = (+ (if_not_exists a :x) :y)"},
  });
}

TEST(UpdateParserTest, ReadsRemoveAddAndDelete) {
  ExpectUpdateTrees({
      {"REMOVE a", "remove a"},
      {"remove a, b.c[0], #d", "remove a; remove b.c[0]; remove #d"},
      {"ADD a :x", "add a :x"},
      {"ADD a :x, b.c :y", "add a :x; add b.c :y"},
      {"DELETE a :x", "delete a :x"},
      {"delete a :x, b[0] :y", "delete a :x; delete b[0] :y"},
  });
}

TEST(UpdateParserTest, ReadsSectionsInAnyOrder) {
  ExpectUpdateTrees({
      {"SET a = :x REMOVE b ADD c :y DELETE d :z", "set a = :x; remove b; add c :y; delete d :z"},
      {"DELETE d :z ADD c :y REMOVE b SET a = :x", "delete d :z; add c :y; remove b; set a = :x"},
      {"SET a=:x,b=:y REMOVE c,d", "set a = :x; set b = :y; remove c; remove d"},
  });
}

TEST(UpdateParserTest, KeywordsAreReservedWordsWithinPaths) {
  EXPECT_EQ(RefusalOfUpdate("SET and = :x"),
            "Attribute name is a reserved keyword; reserved keyword: and");
  EXPECT_EQ(RefusalOfUpdate("REMOVE a.set"),
            "Attribute name is a reserved keyword; reserved keyword: set");
}

TEST(UpdateParserTest, SyntaxErrorsShowTheUnexpectedToken) {
  const struct {
    const char* text;
    const char* token;
    const char* near;
  } cases[] = {
      {" ", "<EOF>", ""},
      {"a = :x", "a", "a ="},
      {"SET", "<EOF>", "SET"},
      {"SET a", "<EOF>", "a"},
      {"SET a =", "<EOF>", "="},
      {"SET a = :x,", "<EOF>", ","},
      {"SET a = :x b = :y", "b", ":x b ="},
      {"SET a = :x; REMOVE b", ";", ":x; REMOVE"},
      {"SET a :x", ":x", "a :x"},
      {"SET :x = a", ":x", "SET :x ="},
      {"SET a <> :x", "<>", "a <> :x"},
      {"SET a = 1", "1", "= 1"},
      {"SET a = b + 1", "1", "+ 1"},
      {"SET a = b + c + d", "+", "c + d"},
      {"SET a = (b + c) + d", "+", ") + d"},
      {"SET a = b + (c + d)", "+", "c + d"},
      {"SET a = -:x", "-", "= -:x"},
      {"SET a = b * :x", "*", "b * :x"},
      {"SET a = (:x", "<EOF>", ":x"},
      {"SET a = :x)", ")", ":x)"},
      {"SET (a) = :x", "(", "SET (a"},
      {"SET a = (b).c", ".", ").c"},
      {"SET a = if_not_exists()", ")", "()"},
      {"SET a = if_not_exists(a, :x", "<EOF>", ":x"},
      {"SET a = if_not_exists(a, b + :x)", "+", "b + :x"},
      {"SET a = :x SET", "<EOF>", "SET"},
      {"SET a = :x AND b = :y", "AND", ":x AND b"},
      {"SET set = :x", "set", "SET set ="},
      {"REMOVE", "<EOF>", "REMOVE"},
      {"REMOVE a b", "b", "a b"},
      {"REMOVE :x", ":x", "REMOVE :x"},
      {"REMOVE a = :x", "=", "a = :x"},
      {"REMOVE remove", "remove", "REMOVE remove"},
      {"ADD a", "<EOF>", "a"},
      {"ADD a b", "b", "a b"},
      {"ADD a = :x", "=", "a = :x"},
      {"ADD a (:x)", "(", "a (:x"},
      {"ADD a :x :y", ":y", ":x :y"},
      {"ADD a :x + :y", "+", ":x + :y"},
      {"DELETE a", "<EOF>", "a"},
      {"DELETE a, b", ",", "a, b"},
  };
  for (const auto& c : cases) {
    EXPECT_EQ(RefusalOfUpdate(c.text),
              std::string("Syntax error; token: \"") + c.token + "\", near: \"" + c.near + "\"")
        << c.text;
  }
}

TEST(UpdateParserTest, RejectsUnknownFunctions) {
  EXPECT_EQ(RefusalOfUpdate("SET a = foo(b)"), "Invalid function name; function: foo");
  EXPECT_EQ(RefusalOfUpdate("SET a = b + foo(b, :x, :y)"), "Invalid function name; function: foo");
  EXPECT_EQ(RefusalOfUpdate("SET a = List_Append(a, :x)"),
            "Invalid function name; function: List_Append");
  EXPECT_EQ(RefusalOfUpdate("SET a = size(b)"),
            "The function is not allowed in an update expression; function: size");
  EXPECT_EQ(RefusalOfUpdate("SET a = contains(b, :x)"),
            "The function is not allowed in an update expression; function: contains");
}

TEST(UpdateParserTest, RejectsARepeatedSection) {
  EXPECT_EQ(RefusalOfUpdate("SET a = :x SET b = :y"),
            "The \"SET\" section can only be used once in an update expression;");
  EXPECT_EQ(RefusalOfUpdate("remove a ADD b :x remove c"),
            "The \"REMOVE\" section can only be used once in an update expression;");
  EXPECT_EQ(RefusalOfUpdate("ADD a :x ADD b :x"),
            "The \"ADD\" section can only be used once in an update expression;");
  EXPECT_EQ(RefusalOfUpdate("DELETE a :x DELETE b :x"),
            "The \"DELETE\" section can only be used once in an update expression;");
}

TEST(UpdateParserTest, RejectsRedundantParentheses) {
  EXPECT_EQ(RefusalOfUpdate("SET a = ((:x))"), "The expression has redundant parentheses;");
  EXPECT_EQ(RefusalOfUpdate("SET a = b + ((:x))"), "The expression has redundant parentheses;");
  EXPECT_EQ(RefusalOfUpdate("SET a = ((b + :x))"), "The expression has redundant parentheses;");
}

// Each text in this test has the errors of the next text and one more error. DynamoDB reports the
// additional error first, so the function under test must report it, too.
TEST(UpdateParserTest, ReportsFaultsInDynamoDBsOrder) {
  EXPECT_THAT(RefusalOfUpdate("SET a = :x SET b = foo(c), name = :x,"),
              testing::StartsWith("Syntax error"));
  EXPECT_EQ(RefusalOfUpdate("SET a = :x SET b = foo(c), name = :x"),
            "Attribute name is a reserved keyword; reserved keyword: name");
  EXPECT_EQ(RefusalOfUpdate("SET a = :x SET b = foo(c)"), "Invalid function name; function: foo");
}

TEST(UpdateParserTest, RejectsMoreThan300OperatorsAndFunctions) {
  EXPECT_THAT(UpdateTree("SET a=a+:x" + Repeat(299, ",a=a+:x")), IsOk());
  EXPECT_EQ(RefusalOfUpdate("SET a=a+:x" + Repeat(300, ",a=a+:x")),
            "The expression contains too many operators; operator count: 301");
  // The equals sign of a SET action does not count as an operator.
  EXPECT_THAT(UpdateTree("SET a=:x" + Repeat(700, ",a=:x")), IsOk());
  EXPECT_EQ(RefusalOfUpdate("SET a = list_append(a, :x)" + Repeat(300, ",a=b-:x")),
            "The expression contains too many operators; operator count: 301");
}

TEST(UpdateParserTest, ReadsTheDeepestNestingWithinTheLimits) {
  EXPECT_THAT(UpdateTree("SET a=" + Repeat(230, "if_not_exists(c,") + "b" + Repeat(230, ")")),
              IsOk());
  EXPECT_EQ(RefusalOfUpdate("SET a=" + Repeat(300, "f((") + "b" + Repeat(300, "))")),
            "Invalid function name; function: f");
  EXPECT_EQ(RefusalOfUpdate("SET a=" + Repeat(700, "f(") + "b" + Repeat(700, ")")),
            "The expression contains too many operators; operator count: 700");
  EXPECT_EQ(RefusalOfUpdate("SET a=" + Repeat(2000, "(") + "b" + Repeat(2000, ")")),
            "The expression has redundant parentheses;");
}

}  // namespace
}  // namespace dolmen::engine
