// What all parsers have in common, and projections.

#include "engine/expression/parser.h"

#include <gmock/gmock.h>

#include <string>

#include "tests/engine/expression/syntax_text.h"
#include "tests/support/status_matchers.h"

namespace dolmen::engine {
namespace {

using test::IsOk;
using test::IsOkAndHolds;
using test::StatusIs;

constexpr auto kInvalid = StatusCode::kValidation;

Result<std::string> Parse(std::string_view text) {
  const Result<ProjectionSyntax> syntax = ParseProjection(text);
  if (!syntax.ok()) return syntax.status();
  return SyntaxText(*syntax);
}

std::string Repeat(int count, std::string_view text) {
  std::string all;
  for (int i = 0; i < count; ++i) all += text;
  return all;
}

TEST(ProjectionParserTest, ReadsPaths) {
  EXPECT_THAT(Parse("a"), IsOkAndHolds("a"));
  EXPECT_THAT(Parse("a,b"), IsOkAndHolds("a b"));
  EXPECT_THAT(Parse("a.b.c, d[0], e[1][2].f"), IsOkAndHolds("a.b.c d[0] e[1][2].f"));
  EXPECT_THAT(Parse("#a.#b, c.#d[0]"), IsOkAndHolds("#a.#b c.#d[0]"));
  EXPECT_THAT(Parse(" a . b \t,\r\n c [ 0 ] "), IsOkAndHolds("a.b c[0]"));
  EXPECT_THAT(Parse("a_, A9, a__"), IsOkAndHolds("a_ A9 a__"));
  EXPECT_THAT(Parse("a[7], b[4294967295]"), IsOkAndHolds("a[7] b[4294967295]"));
}

TEST(ProjectionParserTest, KeywordsOfOtherExpressionsAreNames) {
  EXPECT_THAT(Parse("remove"), IsOkAndHolds("remove"));
  EXPECT_THAT(Parse("a.remove, Remove"), IsOkAndHolds("a.remove Remove"));
}

TEST(ProjectionParserTest, ShowsTheTokenThatIsWrong) {
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
    EXPECT_THAT(
        Parse(c.text),
        StatusIs(kInvalid, std::string("Invalid ProjectionExpression: Syntax error; token: \"") +
                               c.token + "\", near: \"" + c.near + "\""))
        << c.text;
  }
}

TEST(ProjectionParserTest, RefusesReservedWordsInEveryStep) {
  const std::string message =
      "Invalid ProjectionExpression: Attribute name is a reserved keyword; reserved keyword: ";
  EXPECT_THAT(Parse("status"), StatusIs(kInvalid, message + "status"));
  EXPECT_THAT(Parse("a, StaTus"), StatusIs(kInvalid, message + "StaTus"));
  EXPECT_THAT(Parse("a.name"), StatusIs(kInvalid, message + "name"));
  EXPECT_THAT(Parse("a[0].date, name"), StatusIs(kInvalid, message + "date"));
  EXPECT_THAT(Parse("and"), StatusIs(kInvalid, message + "and"));
  EXPECT_THAT(Parse("#status"), IsOk());
}

TEST(ProjectionParserTest, ASyntaxErrorComesBeforeAReservedWord) {
  EXPECT_THAT(Parse("status, a b"),
              StatusIs(kInvalid, testing::HasSubstr("Syntax error; token: \"b\"")));
}

TEST(ParserTest, AnExpressionIsNotEmpty) {
  EXPECT_THAT(ParseProjection(""),
              StatusIs(kInvalid, "Invalid ProjectionExpression: The expression can not be empty;"));
  EXPECT_THAT(ParseUpdate(""),
              StatusIs(kInvalid, "Invalid UpdateExpression: The expression can not be empty;"));
  EXPECT_THAT(ParseCondition("", ExpressionKind::kCondition),
              StatusIs(kInvalid, "Invalid ConditionExpression: The expression can not be empty;"));
  EXPECT_THAT(ParseCondition("", ExpressionKind::kFilter),
              StatusIs(kInvalid, "Invalid FilterExpression: The expression can not be empty;"));
  EXPECT_THAT(
      ParseCondition("", ExpressionKind::kKeyCondition),
      StatusIs(kInvalid, "Invalid KeyConditionExpression: The expression can not be empty;"));
}

TEST(ParserTest, AnExpressionHasAtMost4096Bytes) {
  EXPECT_THAT(Parse(std::string(4096, 'a')), IsOk());
  EXPECT_THAT(Parse(std::string(4097, 'a')),
              StatusIs(kInvalid,
                       "Invalid ProjectionExpression: Expression size has exceeded the maximum "
                       "allowed size; expression size: 4097"));
  EXPECT_THAT(ParseCondition(std::string(4097, ' '), ExpressionKind::kFilter),
              StatusIs(kInvalid,
                       "Invalid FilterExpression: Expression size has exceeded the maximum allowed "
                       "size; expression size: 4097"));
}

TEST(ParserTest, APathHasAtMost32Steps) {
  EXPECT_THAT(Parse("a" + Repeat(31, ".b")), IsOk());
  EXPECT_THAT(Parse("a" + Repeat(15, ".b[0]") + "[1]"), IsOk());
  EXPECT_THAT(Parse("a" + Repeat(32, ".b")),
              StatusIs(kInvalid,
                       "Invalid ProjectionExpression: The document path has too many nesting "
                       "levels; nesting levels: 33"));
}

TEST(ParserTest, AListIndexHas32Bits) {
  EXPECT_THAT(Parse("a[4294967296]"),
              StatusIs(kInvalid,
                       "Invalid ProjectionExpression: List index is not within the allowable "
                       "range; index: [4294967296]"));
  EXPECT_THAT(Parse("a[" + std::string(4000, '9') + "]"), testing::Not(IsOk()));
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
