// Tests of the words of statements (database/statement/statement_text.h).

#include "database/statement/statement_text.h"

#include <gmock/gmock.h>

#include <string>
#include <vector>

#include "dolmen/database.h"
#include "tests/support/status_matchers.h"
#include "tests/support/value.h"

namespace dolmen::internal {
namespace {

using test::IsOk;
using testing::ElementsAre;
using testing::IsEmpty;

std::vector<std::string> Contents(std::string_view text) {
  std::vector<std::string> contents;
  for (const StatementWord& word : StatementWords(text)) contents.push_back(word.Content());
  return contents;
}

TEST(StatementTextTest, WordsHaveNoQuotesAndNoComments) {
  EXPECT_THAT(Contents("SELECT a.b /* c ; */ FROM \"my \"\"t\"\"\" -- d\nWHERE x='it''s'"),
              ElementsAre("SELECT", "a", ".", "b", "FROM", "my \"t\"", "WHERE", "x", "=", "it's"));
  EXPECT_THAT(Contents("\xC3\xBC_1 <<1.5>>"), ElementsAre("\xC3\xBC_1", "<<", "1.5", ">>"));
  EXPECT_THAT(Contents(" /* open"), IsEmpty());
}

TEST(StatementTextTest, AnUnclosedQuoteIsReported) {
  EXPECT_FALSE(StatementWords("x = 'a").back().is_closed);
  EXPECT_FALSE(StatementWords("x = 'a''").back().is_closed);
  EXPECT_TRUE(StatementWords("x = 'a'").back().is_closed);
  EXPECT_EQ(StatementWords("x = 'a").back().text, "'a");
  EXPECT_THAT(Contents("x = 'a''"), ElementsAre("x", "=", "a'"));
}

TEST(StatementTextTest, ANameHasQuotesIfItNeedsThem) {
  for (const char* name : {"app", "_1", "a$", "status"}) EXPECT_EQ(StatementName(name), name);
  EXPECT_EQ(StatementName("Date"), "\"Date\"");
  EXPECT_EQ(StatementName("my-table"), "\"my-table\"");
  EXPECT_EQ(StatementName("1a"), "\"1a\"");
  EXPECT_EQ(StatementName("a\"b"), "\"a\"\"b\"");
  EXPECT_EQ(QuotedStatementName("app"), "\"app\"");
  const Database database = test::Value(Database::InMemory());
  ASSERT_THAT(database.CreateTable({.name = "app"}), IsOk());
  for (const char* name : {"date", "unit price", "a.b", "\"", "\xC3\xBC", "total"}) {
    EXPECT_THAT(database.Execute("SELECT " + StatementName(name) + " FROM app"), IsOk()) << name;
  }
}

}  // namespace
}  // namespace dolmen::internal
