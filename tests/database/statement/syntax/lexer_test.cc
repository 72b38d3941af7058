#include "database/statement/syntax/lexer.h"

#include <gmock/gmock.h>

#include <string>
#include <string_view>
#include <vector>

namespace dolmen::database {
namespace {

using testing::ElementsAre;
using Type = StatementTokenKind;

std::vector<std::string> StatementTexts(std::string_view text) {
  std::vector<std::string> texts;
  for (const StatementToken& token : TokenizeStatement(text)) texts.emplace_back(token.text);
  return texts;
}

std::vector<Type> StatementTypes(std::string_view text) {
  std::vector<Type> kinds;
  for (const StatementToken& token : TokenizeStatement(text)) kinds.push_back(token.kind);
  return kinds;
}

TEST(StatementLexerTest, RecognizesEachKindOfToken) {
  EXPECT_THAT(StatementTypes("select name \"a b\" 'a b' 12 ? <= `1` #"),
              ElementsAre(Type::kWord, Type::kName, Type::kQuotedName, Type::kString, Type::kNumber,
                          Type::kParameter, Type::kSymbol, Type::kIon, Type::kUnknown, Type::kEnd));
}

TEST(StatementLexerTest, TakesTheLongestSymbol) {
  EXPECT_THAT(StatementTexts("<<1>>=<>!=<=>=||"),
              ElementsAre("<<", "1", ">>", "=", "<>", "!=", "<=", ">=", "||", ""));
}

TEST(StatementLexerTest, LeavesOutSpacesAndComments) {
  EXPECT_THAT(StatementTexts("a -- a comment\n b /* another\n one */\tc\r\n--end"),
              ElementsAre("a", "b", "c", ""));
  EXPECT_THAT(StatementTypes("a /* no end"),
              ElementsAre(Type::kName, Type::kUnterminated, Type::kEnd));
}

TEST(StatementLexerTest, ReadsEachFormOfNumber) {
  for (const char* number : {"1", "1.", ".5", "1.50", "1e3", "1.e5", "007", "1E-3", "1e+3"}) {
    EXPECT_THAT(StatementTexts(number), ElementsAre(number, "")) << number;
    EXPECT_THAT(StatementTypes(number), ElementsAre(Type::kNumber, Type::kEnd)) << number;
  }
  for (const char* number : {"0x10", "1_000", "1a", "1e", "1ex"}) {
    EXPECT_EQ(StatementTypes(number)[0], Type::kUnknown) << number;
  }
}

TEST(StatementLexerTest, ADoubledQuoteIsOneQuote) {
  EXPECT_EQ(UnquotedText(TokenizeStatement("'it''s'")[0]), "it's");
  EXPECT_EQ(UnquotedText(TokenizeStatement("''''''")[0]), "''");
  EXPECT_EQ(UnquotedText(TokenizeStatement("\"a\"\"b\"")[0]), "a\"b");
  EXPECT_EQ(UnquotedText(TokenizeStatement("'tab\\t'")[0]), "tab\\t");  // no escapes
  EXPECT_EQ(UnquotedText(TokenizeStatement("''")[0]), "");
  EXPECT_THAT(StatementTypes("'it''"), ElementsAre(Type::kUnterminated, Type::kEnd));
}

TEST(StatementLexerTest, ANameInQuotesIsNoReservedWord) {
  EXPECT_THAT(StatementTypes("date \"date\" DaTe dates"),
              ElementsAre(Type::kWord, Type::kQuotedName, Type::kWord, Type::kName, Type::kEnd));
}

TEST(StatementLexerTest, APositionCountsLinesAndCharacters) {
  const std::string_view text = "a\n\xC3\xA4\xC3\xA4 'b\xC3\xA4'";
  const std::vector<StatementToken> tokens = TokenizeStatement(text);
  EXPECT_EQ(TokenPosition(text, tokens[0].text), "1:1:1");
  EXPECT_EQ(TokenPosition(text, tokens[1].text), "2:1:1");
  EXPECT_EQ(TokenPosition(text, tokens[3].text), "2:4:4");
}

}  // namespace
}  // namespace dolmen::database
