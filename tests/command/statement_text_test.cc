// Tests of the ends and the targets of statements (api/command/statement_text.h).

#include "command/statement_text.h"

#include <gtest/gtest.h>

#include <string>

namespace dolmen::test {
namespace {

using command::IsEmptyStatement;
using command::StatementLength;
using command::StatementTarget;
using command::TargetOf;

std::string TargetText(std::string_view statement) {
  const StatementTarget target = TargetOf(internal::StatementWords(statement));
  return target.table + "/" + target.index;
}

TEST(StatementTextTest, AStatementEndsAtASemicolonOutsideOfQuotesAndComments) {
  const std::string first = "SELECT ';' /* ; */ \";\" -- ;\n;";
  EXPECT_EQ(StatementLength(first + " SELECT 2;"), first.size());
  EXPECT_EQ(StatementLength("SELECT ';"), std::string::npos);
  EXPECT_TRUE(IsEmptyStatement(" ; /* a */ -- b"));
  EXPECT_TRUE(IsEmptyStatement(" /* open"));
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
