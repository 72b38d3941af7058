// Tests of both forms of many to many: two edges (groups/groups.h), and one item
// and two indexes (employment/employment.h).

#include <gtest/gtest.h>

#include <memory>

#include "models/patterns/employment/employment.h"
#include "models/patterns/groups/groups.h"
#include "tests/models/cost.h"
#include "tests/support/status_matchers.h"
#include "tests/support/value.h"

namespace dolmen {
namespace {

using test::Cost;
using test::IsOk;
using test::IsOkAndHolds;
using test::StatusIs;
using test::Value;
using testing::_;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

Timestamp Time(std::string_view text) { return Value(ParseIso8601(text)); }

// The sample data: u1 and u2 are in g10, and u1 and u3 are in g20.
class GroupsTest : public testing::Test {
 protected:
  GroupsTest() {
    EXPECT_THAT(groups::LoadSampleData(table_), IsOk());
    log_.Take();
  }

  RequestLog log_;
  Timestamp now_ = Time("2026-04-15T10:30:00Z");
  Database database_ = Value(Database::InMemory({.clock = std::make_shared<ManualClock>(now_)}));
  EntityTable table_ = Value(groups::Open(database_, log_.observer()));
};

TEST_F(GroupsTest, AUserOrAGroupIsOneGetItem) {
  EXPECT_THAT(table_.Get(groups::User{.id = "u1"}), IsOkAndHolds(groups::User{"u1", "Ana"}));
  EXPECT_EQ(Cost(log_), "GetItem, 0.5 read");
  EXPECT_THAT(table_.Get(groups::Group{.id = "g10"}),
              IsOkAndHolds(groups::Group{"g10", "Readers"}));
  EXPECT_EQ(Cost(log_), "GetItem, 0.5 read");
  EXPECT_THAT(table_.Get(groups::User{.id = "u9"}),
              StatusIs(StatusCode::kResourceNotFound, HasSubstr("user")));
}

TEST_F(GroupsTest, EitherDirectionIsOneQuery) {
  EXPECT_THAT(
      groups::GroupsOf(table_, "u1").All(),
      IsOkAndHolds(ElementsAre(groups::UserGroup{"u1", "g10", Time("2024-03-01T00:00:00Z")},
                               groups::UserGroup{"u1", "g20", Time("2024-04-01T00:00:00Z")})));
  EXPECT_EQ(Cost(log_), "Query, 0.5 read");
  EXPECT_THAT(
      groups::MembersOf(table_, "g10").All(),
      IsOkAndHolds(ElementsAre(groups::GroupMember{"g10", "u1", Time("2024-03-01T00:00:00Z")},
                               groups::GroupMember{"g10", "u2", Time("2024-05-01T00:00:00Z")})));
  EXPECT_EQ(Cost(log_), "Query, 0.5 read");
  EXPECT_THAT(groups::GroupsOf(table_, "u10").All(), IsOkAndHolds(IsEmpty()));
}

TEST_F(GroupsTest, AUserWithAllGroupsIsOneQuery) {
  const auto [users, joined] = Value(groups::UserWithGroups(table_, "u1").Grouped());
  EXPECT_EQ(Cost(log_), "Query, 0.5 read");
  EXPECT_THAT(users, ElementsAre(groups::User{"u1", "Ana"}));
  EXPECT_EQ(joined, Value(groups::GroupsOf(table_, "u1").All()));
}

TEST_F(GroupsTest, MembershipIsOneGetItem) {
  EXPECT_TRUE(Value(table_.Find(groups::UserGroup{.user_id = "u2", .group_id = "g10"})));
  EXPECT_EQ(Cost(log_), "GetItem, 0.5 read");
  EXPECT_FALSE(Value(table_.Find(groups::UserGroup{.user_id = "u2", .group_id = "g20"})));
}

TEST_F(GroupsTest, JoiningAndLeavingWriteBothDirections) {
  EXPECT_THAT(groups::Join(table_, {.user_id = "u2", .group_id = "g20"}), IsOk());
  EXPECT_EQ(Cost(log_), "TransactWriteItems, 8 write");
  EXPECT_EQ(Value(groups::GroupsOf(table_, "u2").All())[1].joined_at, now_);
  EXPECT_EQ(Value(groups::MembersOf(table_, "g20").Count()), 3U);
  log_.Take();
  EXPECT_THAT(table_.Remove(groups::UserGroup{.user_id = "u2", .group_id = "g20"}), IsOk());
  EXPECT_EQ(Cost(log_), "TransactWriteItems, 4 write");
  EXPECT_EQ(Value(groups::GroupsOf(table_, "u2").Count()), 1U);
  EXPECT_EQ(Value(groups::MembersOf(table_, "g20").Count()), 2U);
  EXPECT_EQ(Value(table_.VerifyEdges<groups::UserGroup>()).items_failed, 0U);
}

TEST_F(GroupsTest, JoiningRequiresUserAndGroupAndNoEarlierMembership) {
  EXPECT_THAT(groups::Join(table_, {"u1", "g10"}), StatusIs(StatusCode::kResourceInUse, _));
  EXPECT_THAT(groups::Join(table_, {"u9", "g10"}),
              StatusIs(StatusCode::kResourceNotFound, HasSubstr("user")));
  EXPECT_THAT(groups::Join(table_, {"u1", "g99"}),
              StatusIs(StatusCode::kResourceNotFound, HasSubstr("group")));
  EXPECT_EQ(Value(groups::MembersOf(table_, "g10").Count()), 2U);
}

// In DynamoDB the second hop needs a Query for each group.
TEST_F(GroupsTest, ConnectionsAreTwoHops) {
  EXPECT_THAT(groups::GetConnectionsOf(table_, "u1"),
              IsOkAndHolds(ElementsAre(std::pair("u2", 1), std::pair("u3", 1))));
  EXPECT_EQ(Cost(log_), "Query, Query, 1.5 read") << "u1's groups, and the members of both";
  EXPECT_THAT(groups::Join(table_, {"u2", "g20"}), IsOk());
  EXPECT_THAT(groups::GetConnectionsOf(table_, "u1"),
              IsOkAndHolds(ElementsAre(std::pair("u2", 2), std::pair("u3", 1))));
  EXPECT_THAT(groups::GetConnectionsOf(table_, "u9"), IsOkAndHolds(IsEmpty()));
}

TEST_F(GroupsTest, MutualConnectionsAreConnectedWithBoth) {
  EXPECT_THAT(groups::GetMutualConnections(table_, "u2", "u3"), IsOkAndHolds(ElementsAre("u1")));
  EXPECT_EQ(Cost(log_), "Query, Query, Query, Query, 2 read");
  EXPECT_THAT(groups::GetMutualConnections(table_, "u1", "u2"), IsOkAndHolds(IsEmpty()));
}

// The sample data: ann worked for acme, then for borg and corp at the same time. Her current job is at borg,
// although she started at corp later. ben has always worked for acme.
class EmploymentTest : public testing::Test {
 protected:
  using Job = employment::Job;
  using JobId = employment::JobId;
  using JobStatus = employment::JobStatus;

  EmploymentTest() {
    EXPECT_THAT(employment::LoadSampleData(table_), IsOk());
    log_.Take();
  }

  std::vector<std::string> Companies(const std::vector<Job>& jobs) {
    std::vector<std::string> ids;
    for (const Job& job : jobs) ids.push_back(job.id.company_id);
    return ids;
  }
  std::vector<std::string> Employees(const std::string& company_id, JobStatus status) {
    std::vector<std::string> ids;
    for (const Job& job : Value(employment::EmployeesOf(table_, company_id, status).All())) {
      ids.push_back(job.id.user_id);
    }
    return ids;
  }

  RequestLog log_;
  Database database_ = Value(Database::InMemory());
  EntityTable table_ = Value(employment::Open(database_, log_.observer()));
  JobId at_acme_ = {"ann", Time("2018-01-01T00:00:00Z"), "acme"};
  JobId at_borg_ = {"ann", Time("2021-07-01T00:00:00Z"), "borg"};
  JobId at_corp_ = {"ann", Time("2022-03-01T00:00:00Z"), "corp"};
  JobId bens_ = {"ben", Time("2015-05-05T00:00:00Z"), "acme"};
};

TEST_F(EmploymentTest, AProfileIsOneGetItem) {
  EXPECT_THAT(table_.Get(employment::User{.id = "ann"}),
              IsOkAndHolds(employment::User{"ann", "Ann"}));
  EXPECT_EQ(Cost(log_), "GetItem, 0.5 read");
  EXPECT_THAT(table_.Get(employment::Company{.id = "acme"}),
              IsOkAndHolds(employment::Company{"acme", "Acme"}));
  EXPECT_THAT(table_.Get(employment::User{.id = "eve"}),
              StatusIs(StatusCode::kResourceNotFound, _));
}

TEST_F(EmploymentTest, AHistoryIsOneQueryNewestFirst) {
  const std::vector<Job> history = Value(employment::HistoryOf(table_, "ann").All());
  EXPECT_EQ(Cost(log_), "Query, 0.5 read");
  EXPECT_THAT(history, ElementsAre(Job{.id = at_corp_,
                                       .title = "Adviser",
                                       .status = JobStatus::kFormer,
                                       .ended_at = Time("2023-01-31T00:00:00Z")},
                                   Job{.id = at_borg_,
                                       .title = "Lead",
                                       .status = JobStatus::kCurrent,
                                       .current_since = at_borg_.started_at},
                                   Job{.id = at_acme_,
                                       .title = "Engineer",
                                       .status = JobStatus::kFormer,
                                       .ended_at = Time("2021-06-30T00:00:00Z")}));
}

TEST_F(EmploymentTest, CurrentAndFormerEmployeesAreOneQueryEach) {
  EXPECT_THAT(Employees("acme", JobStatus::kCurrent), ElementsAre("ben"));
  EXPECT_EQ(Cost(log_), "Query, 0.5 read");
  EXPECT_THAT(Employees("acme", JobStatus::kFormer), ElementsAre("ann"));
  EXPECT_EQ(Cost(log_), "Query, 0.5 read");
  EXPECT_THAT(Employees("corp", JobStatus::kCurrent), IsEmpty());
}

TEST_F(EmploymentTest, EmployeesAreListedByStartInPages) {
  EXPECT_THAT(
      employment::Start(table_, {"ann", Time("2024-01-01T00:00:00Z"), "acme"}, "Back again"),
      IsOk());
  EXPECT_THAT(Employees("acme", JobStatus::kCurrent), ElementsAre("ben", "ann"));
  const auto first = Value(employment::EmployeesOf(table_, "acme").Limit(1).Page());
  EXPECT_EQ(first.items[0].id.user_id, "ben");
  const auto second =
      Value(employment::EmployeesOf(table_, "acme").From(first.next_cursor).Limit(1).Page());
  EXPECT_EQ(second.items[0].id.user_id, "ann");
}

TEST_F(EmploymentTest, TheCurrentJobIsOneQueryOfASparseIndex) {
  EXPECT_EQ(Value(employment::FindCurrentJob(table_, "ann"))->id, at_borg_);
  EXPECT_EQ(Cost(log_), "Query, 0.5 read");
  EXPECT_THAT(
      employment::Start(table_, {"ann", Time("2024-01-01T00:00:00Z"), "acme"}, "Back again"),
      IsOk());
  EXPECT_EQ(Value(employment::FindCurrentJob(table_, "ann"))->title, "Back again")
      << "the current job that began last";
  EXPECT_THAT(employment::FindCurrentJob(table_, "eve"), IsOkAndHolds(std::nullopt));
}

TEST_F(EmploymentTest, EndingAJobUpdatesBothIndexes) {
  EXPECT_THAT(employment::End(table_, at_borg_, Time("2025-01-01T00:00:00Z")), IsOk());
  // The update of the item costs 1 unit. The update replaces the item's entry in GSI1, which costs
  // 2 units, and deletes its entry in GSI2, which costs 1 unit.
  EXPECT_EQ(Cost(log_), "UpdateItem, 4 write");
  EXPECT_THAT(Employees("borg", JobStatus::kCurrent), IsEmpty());
  EXPECT_THAT(Employees("borg", JobStatus::kFormer), ElementsAre("ann"));
  EXPECT_THAT(employment::FindCurrentJob(table_, "ann"), IsOkAndHolds(std::nullopt));
  EXPECT_THAT(Companies(Value(employment::HistoryOf(table_, "ann").All())),
              ElementsAre("corp", "borg", "acme"));
}

TEST_F(EmploymentTest, StartingAJobIsATransactionWithTwoChecks) {
  EXPECT_THAT(employment::Start(table_, {"ben", at_borg_.started_at, "borg"}, "Guest"), IsOk());
  // The item, its two index entries and two condition checks cost 5 units. A transaction doubles
  // the cost.
  EXPECT_EQ(Cost(log_), "TransactWriteItems, 10 write");
}

TEST_F(EmploymentTest, StartingOrEndingAJobTwiceIsRejected) {
  EXPECT_THAT(employment::Start(table_, at_borg_, "Lead"), StatusIs(StatusCode::kResourceInUse, _));
  EXPECT_THAT(employment::Start(table_, {"eve", {}, "acme"}, "Spy"),
              StatusIs(StatusCode::kResourceNotFound, HasSubstr("user")));
  EXPECT_THAT(employment::Start(table_, {"ann", {}, "none"}, "Ghost"),
              StatusIs(StatusCode::kResourceNotFound, HasSubstr("company")));
  EXPECT_THAT(employment::End(table_, at_acme_, Time("2025-01-01T00:00:00Z")),
              StatusIs(StatusCode::kConditionalCheckFailed, "the job has ended already"));
  EXPECT_THAT(employment::End(table_, at_borg_, Time("2020-01-01T00:00:00Z")),
              StatusIs(StatusCode::kValidation, _));
  EXPECT_THAT(employment::End(table_, {"ben", {}, "borg"}, Time("2025-01-01T00:00:00Z")),
              StatusIs(StatusCode::kResourceNotFound, _));
  EXPECT_EQ(Value(employment::HistoryOf(table_, "ann").All()).size(), 3U);
}

// The index key contains the status of an employment, so a query can read only the current
// employees. A query with a filter on the status would also pay for reading every former employee.
TEST_F(EmploymentTest, AFilterPaysForTheFormerEmployees) {
  for (int i = 0; i < 100; ++i) {
    const std::string id = "former" + std::to_string(i);
    EXPECT_THAT(table_.Create(employment::User{id, "F"}), IsOk());
    EXPECT_THAT(employment::Start(table_, {id, at_acme_.started_at, "acme"}, std::string(200, 'x')),
                IsOk());
    EXPECT_THAT(employment::End(table_, {id, at_acme_.started_at, "acme"}, at_borg_.started_at),
                IsOk());
  }
  log_.Take();
  EXPECT_THAT(Employees("acme", JobStatus::kCurrent), ElementsAre("ben"));
  EXPECT_EQ(Cost(log_), "Query, 0.5 read");

  const auto filtered = Value(table_.Query<Job>("GSI1")
                                  .With<&Job::id, &JobId::company_id>("acme")
                                  .Where(AttrOf<&Job::status>() == JobStatus::kCurrent)
                                  .All());
  EXPECT_THAT(Companies(filtered), ElementsAre("acme"));
  const std::vector<RequestTrace> asked = log_.Take();
  ASSERT_EQ(asked.size(), 1U);
  EXPECT_GE(asked[0].total().read_units, 5);
}

}  // namespace
}  // namespace dolmen
