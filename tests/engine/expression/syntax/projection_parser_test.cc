// Tests of the parser of projections, and of the code that all parsers share.

#include <gmock/gmock.h>

#include <string>

#include "engine/expression/syntax/parser.h"
#include "tests/engine/expression/syntax_text.h"
#include "tests/support/status_matchers.h"
#include "tests/support/text.h"

namespace dolmen::engine {
namespace {

using test::IsOk;
using test::IsOkAndHolds;
using test::Repeat;
using test::StatusIs;

Result<std::string> ProjectionTree(std::string_view text) {
  const Result<ProjectionSyntax> syntax = ParseProjection(text);
  if (!syntax.ok()) return syntax.status();
  return SyntaxText(*syntax);
}

TEST(ProjectionParserTest, ReadsPaths) {
  EXPECT_THAT(ProjectionTree("a"), IsOkAndHolds("a"));
  EXPECT_THAT(ProjectionTree("a,b"), IsOkAndHolds("a b"));
  EXPECT_THAT(ProjectionTree("a.b.c, d[0], e[1][2].f"), IsOkAndHolds("a.b.c d[0] e[1][2].f"));
  EXPECT_THAT(ProjectionTree("#a.#b, c.#d[0]"), IsOkAndHolds("#a.#b c.#d[0]"));
  EXPECT_THAT(ProjectionTree(" a . b \t,\r\n c [ 0 ] "), IsOkAndHolds("a.b c[0]"));
  EXPECT_THAT(ProjectionTree("a_, A9, a__"), IsOkAndHolds("a_ A9 a__"));
  EXPECT_THAT(ProjectionTree("a[7], b[4294967295]"), IsOkAndHolds("a[7] b[4294967295]"));
}

TEST(ProjectionParserTest, KeywordsOfOtherExpressionsAreNames) {
  EXPECT_THAT(ProjectionTree("remove"), IsOkAndHolds("remove"));
  EXPECT_THAT(ProjectionTree("a.remove, Remove"), IsOkAndHolds("a.remove Remove"));
}

TEST(ProjectionParserTest, SyntaxErrorsShowTheUnexpectedToken) {
  const struct {
    const char* text;
    const char* token;
    const char* near;
  } cases[] = {
      {",", ",", ","},
      {"a,", "<EOF>", ","},
      {"a,,b", ",", ",,b"},
      {"a b", "b", "a b"},
      {"a b c", "b", "a b c"},
      {"a.", "<EOF>", "."},
      {"a..b", ".", "..b"},
      {".a", ".", ".a"},
      {"a[", "<EOF>", "["},
      {"a[0", "<EOF>", "0"},
      {"a[]", "]", "[]"},
      {"a[b]", "b", "[b]"},
      {"a[-1]", "-", "[-1"},
      {"a[:i]", ":i", "[:i]"},
      {"a[#i]", "#i", "[#i]"},
      {"a[0]b", "b", "]b"},
      {"a.[0]", "[", ".[0"},
      {"[0]", "[", "[0"},
      {"a.0", "0", ".0"},
      {"0", "0", "0"},
      {":a", ":a", ":a"},
      {"a.:b", ":b", ".:b"},
      {"(a)", "(", "(a"},
      {"a-b", "-", "a-b"},
      {"a, b  ;  c", ";", "b  ;  c"},
      {"#", "#", "#"},
      {"a, é", "é", ", é"},
      {"\xFF", "\uFFFD", "\uFFFD"},
      {"a\xC3", "\uFFFD", "a\uFFFD"},
      {" ", "<EOF>", ""},
  };
  for (const auto& c : cases) {
    EXPECT_THAT(ProjectionTree(c.text),
                StatusIs(StatusCode::kValidation,
                         std::string("Invalid ProjectionExpression: Syntax error; token: \"") +
                             c.token + "\", near: \"" + c.near + "\""))
        << c.text;
  }
}

TEST(ProjectionParserTest, RejectsReservedWordsInEveryStep) {
  const std::string message =
      "Invalid ProjectionExpression: Attribute name is a reserved keyword; reserved keyword: ";
  EXPECT_THAT(ProjectionTree("status"), StatusIs(StatusCode::kValidation, message + "status"));
  EXPECT_THAT(ProjectionTree("a, StaTus"), StatusIs(StatusCode::kValidation, message + "StaTus"));
  EXPECT_THAT(ProjectionTree("a.name"), StatusIs(StatusCode::kValidation, message + "name"));
  EXPECT_THAT(ProjectionTree("a[0].date, name"),
              StatusIs(StatusCode::kValidation, message + "date"));
  EXPECT_THAT(ProjectionTree("and"), StatusIs(StatusCode::kValidation, message + "and"));
  EXPECT_THAT(ProjectionTree("#status"), IsOk());
}

TEST(ProjectionParserTest, ASyntaxErrorIsReportedBeforeAReservedWord) {
  EXPECT_THAT(ProjectionTree("status, a b"),
              StatusIs(StatusCode::kValidation, testing::HasSubstr("Syntax error; token: \"b\"")));
}

TEST(ParserTest, AnEmptyExpressionIsRejected) {
  EXPECT_THAT(ParseProjection(""),
              StatusIs(StatusCode::kValidation,
                       "Invalid ProjectionExpression: The expression can not be empty;"));
  EXPECT_THAT(ParseUpdate(""),
              StatusIs(StatusCode::kValidation,
                       "Invalid UpdateExpression: The expression can not be empty;"));
  EXPECT_THAT(ParseCondition("", ExpressionKind::kCondition),
              StatusIs(StatusCode::kValidation,
                       "Invalid ConditionExpression: The expression can not be empty;"));
  EXPECT_THAT(ParseCondition("", ExpressionKind::kFilter),
              StatusIs(StatusCode::kValidation,
                       "Invalid FilterExpression: The expression can not be empty;"));
  EXPECT_THAT(ParseCondition("", ExpressionKind::kKeyCondition),
              StatusIs(StatusCode::kValidation,
                       "Invalid KeyConditionExpression: The expression can not be empty;"));
}

TEST(ParserTest, AnExpressionHasAtMost4096Bytes) {
  EXPECT_THAT(ProjectionTree(std::string(4096, 'a')), IsOk());
  EXPECT_THAT(ProjectionTree(std::string(4097, 'a')),
              StatusIs(StatusCode::kValidation,
                       "Invalid ProjectionExpression: Expression size has exceeded the maximum "
                       "allowed size; expression size: 4097"));
  EXPECT_THAT(ParseCondition(std::string(4097, ' '), ExpressionKind::kFilter),
              StatusIs(StatusCode::kValidation,
                       "Invalid FilterExpression: Expression size has exceeded the maximum allowed "
                       "size; expression size: 4097"));
}

TEST(ParserTest, APathHasAtMost32Steps) {
  EXPECT_THAT(ProjectionTree("a" + Repeat(31, ".b")), IsOk());
  EXPECT_THAT(ProjectionTree("a" + Repeat(15, ".b[0]") + "[1]"), IsOk());
  EXPECT_THAT(ProjectionTree("a" + Repeat(32, ".b")),
              StatusIs(StatusCode::kValidation,
                       "Invalid ProjectionExpression: The document path has too many nesting "
                       "levels; nesting levels: 33"));
}

TEST(ParserTest, AListIndexHas32Bits) {
  EXPECT_THAT(ProjectionTree("a[4294967296]"),
              StatusIs(StatusCode::kValidation,
                       "Invalid ProjectionExpression: List index is not within the allowable "
                       "range; index: [4294967296]"));
  EXPECT_THAT(ProjectionTree("a[" + std::string(4000, '9') + "]"), testing::Not(IsOk()));
}

TEST(ParserTest, ATreeOwnsItsText) {
  std::string text = "a.b, #c[0]";
  const Result<ProjectionSyntax> syntax = ParseProjection(text);
  ASSERT_THAT(syntax, IsOk());
  text.assign(text.size(), 'x');
  const ProjectionSyntax copy = *syntax;
  EXPECT_EQ(SyntaxText(copy), "a.b #c[0]");
}

}  // namespace
}  // namespace dolmen::engine
