// Tests of both forms of many to many: two edges (groups.h), and one item and an index
// (employment.h).

#include <gtest/gtest.h>

#include <memory>

#include "models/patterns/employment.h"
#include "models/patterns/groups.h"
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

// The memberships of the published pattern: u1 and u2 are in g10, and u1 is also in g20.
class GroupsTest : public testing::Test {
 protected:
  GroupsTest() {
    for (const std::string id : {"u1", "u2", "u10"}) {
      EXPECT_THAT(directory_.AddUser({id, "User " + id}), IsOk());
    }
    for (const std::string id : {"g10", "g20"}) {
      EXPECT_THAT(directory_.AddGroup({id, "Group " + id}), IsOk());
    }
    EXPECT_THAT(directory_.Join("u1", "g10"), IsOk());
    EXPECT_THAT(directory_.Join("u1", "g20"), IsOk());
    EXPECT_THAT(directory_.Join("u2", "g10"), IsOk());
    log_.Take();
  }

  RequestLog log_;
  Timestamp now_ = Time("2026-04-15T10:30:00Z");
  Database database_ = Value(Database::InMemory({.clock = std::make_shared<ManualClock>(now_)}));
  groups::Directory directory_ = Value(groups::Directory::Open(database_, log_.observer()));
};

TEST_F(GroupsTest, AUserOrAGroupIsOneGetItem) {
  EXPECT_THAT(directory_.GetUser("u1"), IsOkAndHolds(groups::User{"u1", "User u1"}));
  EXPECT_EQ(Cost(log_), "GetItem, 0.5 read");
  EXPECT_THAT(directory_.GetGroup("g10"), IsOkAndHolds(groups::Group{"g10", "Group g10"}));
  EXPECT_EQ(Cost(log_), "GetItem, 0.5 read");
  EXPECT_THAT(directory_.GetUser("u9"), StatusIs(StatusCode::kResourceNotFound, HasSubstr("user")));
  EXPECT_THAT(directory_.AddUser({"u1", "Other"}), StatusIs(StatusCode::kResourceInUse, _));
  EXPECT_THAT(directory_.AddGroup({"g#1", "G"}), StatusIs(StatusCode::kValidation, _));
}

TEST_F(GroupsTest, EitherDirectionIsOneQuery) {
  EXPECT_THAT(directory_.ListGroupsOf("u1"),
              IsOkAndHolds(ElementsAre(groups::UserGroup{"u1", "g10", now_},
                                       groups::UserGroup{"u1", "g20", now_})));
  EXPECT_EQ(Cost(log_), "Query, 0.5 read");
  EXPECT_THAT(directory_.ListMembersOf("g10"),
              IsOkAndHolds(ElementsAre(groups::GroupMember{"g10", "u1", now_},
                                       groups::GroupMember{"g10", "u2", now_})));
  EXPECT_EQ(Cost(log_), "Query, 0.5 read");
  EXPECT_THAT(directory_.ListGroupsOf("u10"), IsOkAndHolds(IsEmpty()));
}

TEST_F(GroupsTest, AUserWithAllGroupsIsOneQuery) {
  const groups::UserWithGroups whole = Value(directory_.GetUserWithGroups("u1"));
  EXPECT_EQ(Cost(log_), "Query, 0.5 read");
  EXPECT_EQ(whole.user, (groups::User{"u1", "User u1"}));
  EXPECT_EQ(whole.groups, Value(directory_.ListGroupsOf("u1")));
  EXPECT_THAT(directory_.GetUserWithGroups("u9").status(),
              StatusIs(StatusCode::kResourceNotFound, _));
}

TEST_F(GroupsTest, MembershipIsOneGetItem) {
  EXPECT_THAT(directory_.IsMember("u2", "g10"), IsOkAndHolds(true));
  EXPECT_EQ(Cost(log_), "GetItem, 0.5 read");
  EXPECT_THAT(directory_.IsMember("u2", "g20"), IsOkAndHolds(false));
}

TEST_F(GroupsTest, JoiningAndLeavingWriteBothDirections) {
  EXPECT_THAT(directory_.Join("u2", "g20"), IsOk());
  EXPECT_EQ(Cost(log_), "TransactWriteItems, 8 write");
  EXPECT_EQ(Value(directory_.ListGroupsOf("u2")).size(), 2U);
  EXPECT_EQ(Value(directory_.ListMembersOf("g20")).size(), 2U);
  log_.Take();
  EXPECT_THAT(directory_.Leave("u2", "g20"), IsOk());
  EXPECT_EQ(Cost(log_), "TransactWriteItems, 4 write");
  EXPECT_EQ(Value(directory_.ListGroupsOf("u2")).size(), 1U);
  EXPECT_EQ(Value(directory_.ListMembersOf("g20")).size(), 1U);
}

TEST_F(GroupsTest, JoiningRequiresUserAndGroupAndNoEarlierMembership) {
  EXPECT_THAT(directory_.Join("u1", "g10"), StatusIs(StatusCode::kResourceInUse, _));
  EXPECT_THAT(directory_.Join("u9", "g10"),
              StatusIs(StatusCode::kResourceNotFound, HasSubstr("user")));
  EXPECT_THAT(directory_.Join("u1", "g99"),
              StatusIs(StatusCode::kResourceNotFound, HasSubstr("group")));
  EXPECT_THAT(directory_.Leave("u2", "g20"), StatusIs(StatusCode::kResourceNotFound, _));
  EXPECT_EQ(Value(directory_.ListMembersOf("g10")).size(), 2U);
  EXPECT_THAT(directory_.ListMembersOf("g99"), IsOkAndHolds(IsEmpty()));
}

// ann worked for acme, then for borg and corp at the same time. Her current job is at borg,
// although she started at corp later. ben has always worked for acme.
class EmploymentTest : public testing::Test {
 protected:
  using Careers = employment::Careers;
  using Job = employment::Job;
  using JobId = employment::JobId;
  using JobStatus = employment::JobStatus;

  EmploymentTest() {
    EXPECT_THAT(careers_.AddUser({"ann", "Ann"}), IsOk());
    EXPECT_THAT(careers_.AddUser({"ben", "Ben"}), IsOk());
    for (const std::string id : {"acme", "borg", "corp"}) {
      EXPECT_THAT(careers_.AddCompany({id, "Company " + id}), IsOk());
    }
    EXPECT_THAT(careers_.Start(at_acme_, "Engineer"), IsOk());
    EXPECT_THAT(careers_.End(at_acme_, Time("2021-06-30T00:00:00Z")), IsOk());
    EXPECT_THAT(careers_.Start(at_borg_, "Lead"), IsOk());
    EXPECT_THAT(careers_.Start(at_corp_, "Adviser"), IsOk());
    EXPECT_THAT(careers_.End(at_corp_, Time("2023-01-31T00:00:00Z")), IsOk());
    EXPECT_THAT(careers_.Start(bens_, "Founder"), IsOk());
    log_.Take();
  }

  std::vector<std::string> Companies(const std::vector<Job>& jobs) {
    std::vector<std::string> ids;
    for (const Job& job : jobs) ids.push_back(job.id.company_id);
    return ids;
  }
  std::vector<std::string> Employees(const std::string& company_id, JobStatus status) {
    std::vector<std::string> ids;
    for (const Job& job :
         Value(careers_.ListEmployees({.company_id = company_id, .status = status})).items) {
      ids.push_back(job.id.user_id);
    }
    return ids;
  }

  RequestLog log_;
  Database database_ = Value(Database::InMemory());
  Careers careers_ = Value(Careers::Open(database_, log_.observer()));
  JobId at_acme_ = {"ann", Time("2018-01-01T00:00:00Z"), "acme"};
  JobId at_borg_ = {"ann", Time("2021-07-01T00:00:00Z"), "borg"};
  JobId at_corp_ = {"ann", Time("2022-03-01T00:00:00Z"), "corp"};
  JobId bens_ = {"ben", Time("2015-05-05T00:00:00Z"), "acme"};
};

TEST_F(EmploymentTest, AProfileIsOneGetItem) {
  EXPECT_THAT(careers_.GetUser("ann"), IsOkAndHolds(employment::User{"ann", "Ann"}));
  EXPECT_EQ(Cost(log_), "GetItem, 0.5 read");
  EXPECT_THAT(careers_.GetCompany("acme"),
              IsOkAndHolds(employment::Company{"acme", "Company acme"}));
  EXPECT_THAT(careers_.GetUser("eve"), StatusIs(StatusCode::kResourceNotFound, _));
}

TEST_F(EmploymentTest, AHistoryIsOneQueryNewestFirst) {
  const std::vector<Job> history = Value(careers_.ListHistory("ann"));
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
  EXPECT_THAT(careers_.Start({"ann", Time("2024-01-01T00:00:00Z"), "acme"}, "Back again"), IsOk());
  EXPECT_THAT(Employees("acme", JobStatus::kCurrent), ElementsAre("ben", "ann"));
  const auto first = Value(careers_.ListEmployees({.company_id = "acme", .limit = 1}));
  EXPECT_EQ(first.items[0].id.user_id, "ben");
  const auto second = Value(
      careers_.ListEmployees({.company_id = "acme", .cursor = first.next_cursor, .limit = 1}));
  EXPECT_EQ(second.items[0].id.user_id, "ann");
}

TEST_F(EmploymentTest, TheCurrentJobIsOneQueryOfASparseIndex) {
  EXPECT_EQ(Value(careers_.FindCurrentJob("ann"))->id, at_borg_);
  EXPECT_EQ(Cost(log_), "Query, 0.5 read");
  EXPECT_THAT(careers_.Start({"ann", Time("2024-01-01T00:00:00Z"), "acme"}, "Back again"), IsOk());
  EXPECT_EQ(Value(careers_.FindCurrentJob("ann"))->title, "Back again")
      << "the current job that began last";
  EXPECT_THAT(careers_.FindCurrentJob("eve"), IsOkAndHolds(std::nullopt));
}

TEST_F(EmploymentTest, EndingAJobUpdatesBothIndexes) {
  EXPECT_THAT(careers_.End(at_borg_, Time("2025-01-01T00:00:00Z")), IsOk());
  // The update of the item costs 1 unit. The update replaces the item's entry in GSI1, which costs
  // 2 units, and deletes its entry in GSI2, which costs 1 unit.
  EXPECT_EQ(Cost(log_), "UpdateItem, 4 write");
  EXPECT_THAT(Employees("borg", JobStatus::kCurrent), IsEmpty());
  EXPECT_THAT(Employees("borg", JobStatus::kFormer), ElementsAre("ann"));
  EXPECT_THAT(careers_.FindCurrentJob("ann"), IsOkAndHolds(std::nullopt));
  EXPECT_THAT(Companies(Value(careers_.ListHistory("ann"))), ElementsAre("corp", "borg", "acme"));
}

TEST_F(EmploymentTest, StartingAJobIsATransactionWithTwoChecks) {
  EXPECT_THAT(careers_.Start({"ben", at_borg_.started_at, "borg"}, "Guest"), IsOk());
  // The item, its two index entries and two condition checks cost 5 units. A transaction doubles
  // the cost.
  EXPECT_EQ(Cost(log_), "TransactWriteItems, 10 write");
}

TEST_F(EmploymentTest, StartingOrEndingAJobTwiceIsRejected) {
  EXPECT_THAT(careers_.Start(at_borg_, "Lead"), StatusIs(StatusCode::kResourceInUse, _));
  EXPECT_THAT(careers_.Start({"eve", {}, "acme"}, "Spy"),
              StatusIs(StatusCode::kResourceNotFound, HasSubstr("user")));
  EXPECT_THAT(careers_.Start({"ann", {}, "none"}, "Ghost"),
              StatusIs(StatusCode::kResourceNotFound, HasSubstr("company")));
  EXPECT_THAT(careers_.End(at_acme_, Time("2025-01-01T00:00:00Z")),
              StatusIs(StatusCode::kConditionalCheckFailed, "the job has ended already"));
  EXPECT_THAT(careers_.End(at_borg_, Time("2020-01-01T00:00:00Z")),
              StatusIs(StatusCode::kValidation, _));
  EXPECT_THAT(careers_.End({"ben", {}, "borg"}, Time("2025-01-01T00:00:00Z")),
              StatusIs(StatusCode::kResourceNotFound, _));
  EXPECT_EQ(Value(careers_.ListHistory("ann")).size(), 3U);
}

// The index key contains the status of an employment, so a query can read only the current
// employees. A query with a filter on the status would also pay for reading every former employee.
TEST_F(EmploymentTest, AFilterPaysForTheFormerEmployees) {
  for (int i = 0; i < 100; ++i) {
    const std::string id = "former" + std::to_string(i);
    EXPECT_THAT(careers_.AddUser({id, "F"}), IsOk());
    EXPECT_THAT(careers_.Start({id, at_acme_.started_at, "acme"}, std::string(200, 'x')), IsOk());
    EXPECT_THAT(careers_.End({id, at_acme_.started_at, "acme"}, at_borg_.started_at), IsOk());
  }
  log_.Take();
  EXPECT_THAT(Employees("acme", JobStatus::kCurrent), ElementsAre("ben"));
  EXPECT_EQ(Cost(log_), "Query, 0.5 read");

  const EntityTable table(database_, Value(database_.OpenTable(Careers::kTableName)),
                          log_.observer());
  const auto filtered = Value(table.Query<Job>("GSI1")
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
