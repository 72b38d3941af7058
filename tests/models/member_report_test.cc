// Tests of the reports on members that the change feed writes.

#include <gtest/gtest.h>

#include <fstream>
#include <functional>

#include "models/examples/csv_report.h"
#include "tests/models/org_fixture.h"
#include "tests/support/temp_directory.h"

#if __has_include(<sqlite3.h>)
#include <sqlite3.h>

#include "models/examples/sqlite_report.h"
#endif

namespace dolmen::examples {
namespace {

using org::MembershipId;
using test::IsOk;
using test::StatusIs;
using testing::ElementsAre;
using testing::HasSubstr;

class MemberReportTest : public org::OrgTest {
 protected:
  MemberReportTest() { Open(org::NameCopies::kByFeed); }  // adds the stream

  // Changes memberships of the sample data: an invitation, a group, a removal.
  void ChangeMembers() {
    const MembershipId fay = {"o_press", "fay@example.com"};
    ASSERT_THAT(org_.PutUser({"fay@example.com", "Fay", "Flint"}), IsOk());
    ASSERT_THAT(org_.Invite(fay), IsOk());
    ASSERT_THAT(org_.Accept(fay), IsOk());
    ASSERT_THAT(org_.AddToGroup(fay, {.name = "a, \"b\""}), IsOk());
    ASSERT_THAT(org_.Invite({"o_press", "gus@example.com"}), IsOk());
    ASSERT_THAT(org_.Decline({"o_press", "gus@example.com"}), IsOk());
  }

  static std::vector<std::string> Lines(const std::filesystem::path& file) {
    std::vector<std::string> lines;
    std::ifstream in(file);
    // A line begins with the number of the change, which is left out.
    for (std::string line; std::getline(in, line);)
      lines.push_back(line.substr(line.find(',') + 1));
    return lines;
  }

  const test::TempDirectory temp_;
};

TEST_F(MemberReportTest, CsvHasALineForEachChange) {
  const std::filesystem::path file = temp_ / "members.csv";
  Subscription report = test::Value(AppendMembersToCsv(database_, file));
  ChangeMembers();
  test::Value(report.Deliver());
  const std::string fay = R"(,"o_press","Menhir Press","fay@example.com",)";
  const std::string gus = R"(,"o_press","Menhir Press","gus@example.com","","")";
  EXPECT_THAT(Lines(file), ElementsAre("INSERT" + fay + R"("","")",
                                       "MODIFY" + fay + R"("","2026-04-15T12:00:00Z")",
                                       "MODIFY" + fay + R"("a, ""b""","2026-04-15T12:00:00Z")",
                                       "INSERT" + gus, "REMOVE" + gus));
}

TEST_F(MemberReportTest, CsvResumesAfterTheLastChange) {
  const std::filesystem::path file = temp_ / "members.csv";
  {
    Subscription report = test::Value(AppendMembersToCsv(database_, file));
    ASSERT_THAT(org_.Invite({"o_press", "fay@example.com"}), IsOk());
    test::Value(report.Deliver());
  }
  ASSERT_THAT(org_.Invite({"o_press", "gus@example.com"}), IsOk());
  Subscription report = test::Value(AppendMembersToCsv(database_, file));
  test::Value(report.Deliver());
  EXPECT_EQ(Lines(file).size(), 2u);
}

TEST_F(MemberReportTest, CsvReportsAFileThatCannotBeWritten) {
  Subscription report = test::Value(AppendMembersToCsv(database_, temp_ / "none" / "members.csv"));
  ChangeMembers();
  EXPECT_THAT(report.Deliver(), StatusIs(StatusCode::kStorage, HasSubstr("cannot write")));
}

#if __has_include(<sqlite3.h>)

class MemberSqlTest : public MemberReportTest {
 protected:
  // Returns the rows of a query, as texts with blanks between the columns.
  std::vector<std::string> Ask(const std::string& sql) {
    std::vector<std::string> rows;
    sqlite3* sqlite = nullptr;
    EXPECT_EQ(sqlite3_open((temp_ / "members.sqlite").c_str(), &sqlite), SQLITE_OK);
    const auto append = [](void* into, int count, char** values, char**) {
      std::string row;
      for (int i = 0; i < count; ++i) {
        row += (i == 0 ? "" : " ") + std::string(values[i] == nullptr ? "NULL" : values[i]);
      }
      static_cast<std::vector<std::string>*>(into)->push_back(row);
      return 0;
    };
    EXPECT_EQ(sqlite3_exec(sqlite, sql.c_str(), append, &rows, nullptr), SQLITE_OK);
    sqlite3_close(sqlite);
    return rows;
  }
};

TEST_F(MemberSqlTest, SqlAnswersQuestionsAboutTheMembers) {
  Subscription report = test::Value(KeepMembersInSqlite(database_, temp_ / "members.sqlite"));
  ChangeMembers();
  ASSERT_THAT(org_.Invite({"o_museum", "fay@example.com"}), IsOk());
  test::Value(report.Deliver());
  EXPECT_THAT(
      Ask("SELECT organisation, email, accepted_at FROM member ORDER BY organisation"),
      ElementsAre("o_museum fay@example.com NULL", "o_press fay@example.com 2026-04-15T12:00:00Z"));
  EXPECT_THAT(Ask("SELECT email, COUNT(*), COUNT(accepted_at) FROM member GROUP BY email"),
              ElementsAre("fay@example.com 2 1"));
}

TEST_F(MemberSqlTest, ChangesThatComeTwiceHaveNoFurtherEffect) {
  Subscription report = test::Value(KeepMembersInSqlite(database_, temp_ / "members.sqlite"));
  ChangeMembers();
  test::Value(report.Deliver());
  const auto rows = Ask("SELECT * FROM member");
  ASSERT_THAT(report.Seek({.type = ShardIteratorType::kTrimHorizon}), IsOk());
  EXPECT_GT(test::Value(report.Deliver()), 0u);
  EXPECT_EQ(Ask("SELECT * FROM member"), rows);
}

#endif

}  // namespace
}  // namespace dolmen::examples
