// Tests of the completion in `dolmen shell`.

#include "command/completion.h"

#include "tests/command/command_fixture.h"
#include "tests/support/items.h"
#include "tests/support/status_matchers.h"
#include "tests/support/value.h"

namespace dolmen::test {
namespace {

using command::CompleteStatement;
using command::Completion;
using testing::Contains;
using testing::ElementsAre;
using testing::IsEmpty;
using testing::Not;

class CompletionTest : public testing::Test {
 protected:
  void SetUp() override {
    const Table app = Value(database_.CreateTable(
        {.name = "app",
         .global_secondary_indexes = {GlobalSecondaryIndex::Overloaded("GSI1")},
         .local_secondary_indexes = {{.name = "by-age", .sort_key = {"age", AttributeType::kN}}}}));
    ASSERT_THAT(
        app.PutItem(
            {.item = {{"PK", "a"}, {"SK", "b"}, {"date", 3}, {"total", 1}, {"unit price", 2}}}),
        IsOk());
    const Table other = Value(database_.CreateTable({.name = "my-orders"}));
    ASSERT_THAT(other.PutItem({.item = {{"PK", "a"}, {"SK", "b"}, {"orderer", "Ann"}}}), IsOk());
  }

  std::vector<std::string> Candidates(std::string_view before, std::string_view after = "") const {
    return CompleteStatement(database_, before, after).candidates;
  }

  const Database database_ = Value(Database::InMemory());
};

TEST_F(CompletionTest, AStatementBeginsWithItsKeyword) {
  EXPECT_THAT(Candidates(""),
              ElementsAre("DELETE FROM", "EXPLAIN", "INSERT INTO", "SELECT", "UPDATE"));
  EXPECT_THAT(Candidates("se"), ElementsAre("select"));
  EXPECT_THAT(Candidates("EXPLAIN SE"), ElementsAre("SELECT"));
}

TEST_F(CompletionTest, TablesFollowFromAndIndexesFollowATable) {
  EXPECT_THAT(Candidates("SELECT * FROM "), ElementsAre("\"my-orders\"", "app"));
  EXPECT_THAT(Candidates("SELECT * FROM \"m"), ElementsAre("\"my-orders\""));
  EXPECT_THAT(Candidates("update a"), ElementsAre("app"));
  EXPECT_THAT(Candidates("SELECT * FROM app."), ElementsAre("\"by-age\"", "GSI1"));
  EXPECT_THAT(Candidates("SELECT * FROM \"app\".\"b"), ElementsAre("\"by-age\""));
}

TEST_F(CompletionTest, AttributesAreThoseOfTheTable) {
  EXPECT_THAT(Candidates("SELECT * FROM app WHERE t"), ElementsAre("total", "true", "tuple"));
  EXPECT_THAT(Candidates("SELECT t", " FROM app"), Contains("total"));
  EXPECT_THAT(Candidates("SELECT o", " FROM app"), Not(Contains("orderer")));
  EXPECT_THAT(Candidates("SELECT o"), Contains("orderer")) << "no table is named yet";
  EXPECT_THAT(Candidates("SELECT u", " FROM app"), ElementsAre("\"unit price\""));
  EXPECT_THAT(Candidates("SELECT \"to", " FROM app"), ElementsAre("\"total\""));
  EXPECT_THAT(Candidates("SELECT dat", " FROM app"), Contains("\"date\"")) << "a reserved word";
  EXPECT_THAT(Candidates("SELECT * FROM app WHERE "),
              ElementsAre("\"date\"", "\"unit price\"", "PK", "SK", "total"));
}

TEST_F(CompletionTest, TheCandidatesReplaceTheWordBeforeTheCursor) {
  EXPECT_EQ(CompleteStatement(database_, "SELECT * FROM ap", "").begin, 14U);
  EXPECT_EQ(CompleteStatement(database_, "SELECT * FROM \"ap", "").begin, 14U);
  EXPECT_EQ(CompleteStatement(database_, "SELECT * FROM ", "").begin, 14U);
}

TEST_F(CompletionTest, ATextInQuotesHasNoCompletion) {
  EXPECT_THAT(Candidates("SELECT * FROM app WHERE PK = 'to"), IsEmpty());
}

}  // namespace
}  // namespace dolmen::test
