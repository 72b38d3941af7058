// Tests of the words of statements (api/command/statement_text.h).

#include "command/statement_text.h"

#include <gmock/gmock.h>

#include <string>
#include <vector>

namespace dolmen::test {
namespace {

using command::IsEmptyStatement;
using command::StatementLength;
using command::StatementTarget;
using command::StatementToken;
using command::TargetOf;
using command::TokensOf;
using testing::ElementsAre;
using testing::IsEmpty;

std::vector<std::string> Texts(std::string_view text) {
  std::vector<std::string> texts;
  for (const StatementToken& token : TokensOf(text)) texts.push_back(token.text);
  return texts;
}

std::string TargetText(std::string_view statement) {
  const StatementTarget target = TargetOf(TokensOf(statement));
  return target.table + "/" + target.index;
}

TEST(StatementTextTest, TokensHaveNoQuotesAndNoComments) {
  EXPECT_THAT(Texts("SELECT a.b /* c ; */ FROM \"my \"\"t\"\"\" -- d\nWHERE x='it''s'"),
              ElementsAre("SELECT", "a", ".", "b", "FROM", "my \"t\"", "WHERE", "x", "=", "it's"));
  EXPECT_THAT(Texts("\xC3\xBC_1 <<1>>"), ElementsAre("\xC3\xBC_1", "<", "<", "1", ">", ">"));
  EXPECT_THAT(Texts(" /* open"), IsEmpty());
}

TEST(StatementTextTest, AnUnfinishedQuoteIsReported) {
  EXPECT_FALSE(TokensOf("x = 'a").back().is_closed);
  EXPECT_FALSE(TokensOf("x = 'a''").back().is_closed);
  EXPECT_TRUE(TokensOf("x = 'a'").back().is_closed);
  EXPECT_EQ(TokensOf("x = 'a").back().begin, 4U);
}

TEST(StatementTextTest, AStatementEndsAtASemicolonOutsideOfQuotesAndComments) {
  const std::string first = "SELECT ';' /* ; */ \";\" -- ;\n;";
  EXPECT_EQ(StatementLength(first + " SELECT 2;"), first.size());
  EXPECT_EQ(StatementLength("SELECT ';"), std::string::npos);
  EXPECT_TRUE(IsEmptyStatement(" ; /* a */ -- b"));
  EXPECT_FALSE(IsEmptyStatement("a;"));
}

TEST(StatementTextTest, TheTargetIsTheTableAndTheIndex) {
  EXPECT_EQ(TargetText("select * from \"my-app\".\"by-day\" where a = 1"), "my-app/by-day");
  EXPECT_EQ(TargetText("INSERT INTO app VALUE {'from': 'a'}"), "app/");
  EXPECT_EQ(TargetText("UPDATE app SET a = 1"), "app/");
  EXPECT_EQ(TargetText("SELECT 'FROM x'"), "/");
  EXPECT_EQ(TargetText("SELECT * FROM"), "/");
}

}  // namespace
}  // namespace dolmen::test
