#include "engine/expression/syntax/lexer.h"

#include <gmock/gmock.h>

#include <string>
#include <string_view>
#include <vector>

namespace dolmen::engine {
namespace {

using testing::ElementsAre;

std::vector<std::string> Texts(std::string_view text) {
  std::vector<std::string> texts;
  for (const Token& token : Tokenize(text)) texts.emplace_back(token.text);
  return texts;
}

std::vector<TokenKind> Kinds(std::string_view text) {
  std::vector<TokenKind> kinds;
  for (const Token& token : Tokenize(text)) kinds.push_back(token.kind);
  return kinds;
}

Keyword KeywordOf(std::string_view text) { return Tokenize(text)[0].keyword; }

TEST(LexerTest, EndsWithAnEmptyToken) {
  EXPECT_THAT(Texts(""), ElementsAre(""));
  EXPECT_THAT(Kinds(" \t\r\n"), ElementsAre(TokenKind::kEnd));
  EXPECT_THAT(Texts("a"), ElementsAre("a", ""));
}

TEST(LexerTest, RecognizesEachKindOfToken) {
  EXPECT_THAT(
      Kinds("a #a :a 12 = <> < <= > >= ( ) [ ] , . + -"),
      ElementsAre(TokenKind::kName, TokenKind::kNamePlaceholder, TokenKind::kValuePlaceholder,
                  TokenKind::kNumber, TokenKind::kEqual, TokenKind::kNotEqual, TokenKind::kLess,
                  TokenKind::kLessOrEqual, TokenKind::kGreater, TokenKind::kGreaterOrEqual,
                  TokenKind::kLeftParenthesis, TokenKind::kRightParenthesis,
                  TokenKind::kLeftBracket, TokenKind::kRightBracket, TokenKind::kComma,
                  TokenKind::kDot, TokenKind::kPlus, TokenKind::kMinus, TokenKind::kEnd));
}

TEST(LexerTest, ReadsTheLongestToken) {
  EXPECT_THAT(Texts("a_Z9"), ElementsAre("a_Z9", ""));
  EXPECT_THAT(Texts("#0_a"), ElementsAre("#0_a", ""));
  EXPECT_THAT(Texts(":0_a"), ElementsAre(":0_a", ""));
  EXPECT_THAT(Texts("<=="), ElementsAre("<=", "=", ""));
  EXPECT_THAT(Texts("><"), ElementsAre(">", "<", ""));
  EXPECT_THAT(Texts("< >"), ElementsAre("<", ">", ""));  // a space separates tokens
}

TEST(LexerTest, OnlyWholeNamesAreKeywords) {
  EXPECT_EQ(KeywordOf("an"), Keyword::kNone);
  EXPECT_EQ(KeywordOf("ands"), Keyword::kNone);
  EXPECT_EQ(KeywordOf("and_"), Keyword::kNone);
  EXPECT_EQ(KeywordOf("#and"), Keyword::kNone);
  EXPECT_EQ(KeywordOf(":and"), Keyword::kNone);
}

TEST(LexerTest, AnUnknownCharacterIsOneToken) {
  EXPECT_THAT(Texts("a$b"), ElementsAre("a", "$", "b", ""));
  EXPECT_THAT(Texts("\"a\""), ElementsAre("\"", "a", "\"", ""));
  EXPECT_THAT(Texts("aé€𝄞b"), ElementsAre("a", "é", "€", "𝄞", "b", ""));
  EXPECT_THAT(Kinds("é"), ElementsAre(TokenKind::kUnknown, TokenKind::kEnd));
  EXPECT_THAT(Kinds(std::string_view("\0", 1)), ElementsAre(TokenKind::kUnknown, TokenKind::kEnd));
  EXPECT_THAT(Kinds("# a"), ElementsAre(TokenKind::kUnknown, TokenKind::kName, TokenKind::kEnd));
  EXPECT_THAT(Kinds(":"), ElementsAre(TokenKind::kUnknown, TokenKind::kEnd));
}

TEST(LexerTest, AByteThatIsNotUtf8IsOneToken) {
  EXPECT_THAT(Texts("a\xFF\xC3"
                    "b"),
              ElementsAre("a", "\xFF", "\xC3", "b", ""));
  EXPECT_THAT(Texts("\xE2\x82"), ElementsAre("\xE2", "\x82", ""));
}

TEST(LexerTest, PrintableReplacesBytesThatAreNotUtf8) {
  EXPECT_EQ(Printable("aé"), "aé");
  EXPECT_EQ(Printable("a\xFF\xC3z"), "a\uFFFD\uFFFDz");
  EXPECT_EQ(Printable("\xE2\x82"), "\uFFFD\uFFFD");
  EXPECT_EQ(Printable(""), "");
}

}  // namespace
}  // namespace dolmen::engine
