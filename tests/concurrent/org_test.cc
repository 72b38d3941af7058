// Tests of concurrent memberships, groups and renames of one organisation.

#include <gtest/gtest.h>

#include <array>
#include <atomic>
#include <optional>

#include "tests/concurrent/threads.h"
#include "tests/models/org_fixture.h"
#include "tests/support/random.h"

namespace dolmen::org {
namespace {

using test::kThreads;
using test::Random;
using test::RunTogether;
using test::TestSeed;

// Repeats a request after a conflict. On a busy machine, a thread may lose all 10 attempts of Retry to the others.
template <typename Request>
Status UntilDone(const Request& request) {
  for (;;) {
    Status status = request();
    if (status.code() != StatusCode::kTransactionConflict) return status;
  }
}

// The organisation o_01 of the user ann, and the users that a test adds.
class OrgRaceTest : public test::SeededTest {
 protected:
  OrgRaceTest() {
    PutUser("ann");
    Value(org_.CreateOrganisation({"o_01", "Name 0"}, "ann"));
  }

  Org Open(NameCopies way) { return Value(Org::Open(database_, {.name_copies = way})); }
  void PutUser(const std::string& email) { EXPECT_THAT(org_.PutUser({email}), IsOk()); }
  static MembershipId In(const std::string& email) { return {"o_01", email}; }

  static UserOrganisationRecord UserSide(const std::string& email) {
    return {.email = email, .invitation = {.organisation = {.id = "o_01"}}};
  }

  // Checks in one transaction that both sides of the membership exist or neither does. Returns true
  // if both exist.
  bool ExpectSidesTogether(const std::string& email) {
    const auto [of_user, of_organisation] = Value(raw_.TransactGet(
        UserSide(email),
        OrganisationMemberRecord{.organisation_id = "o_01", .member = {.user = {.email = email}}}));
    EXPECT_EQ(of_user.has_value(), of_organisation.has_value()) << email;
    if (!of_user || !of_organisation) return false;
    EXPECT_EQ(of_user->invitation.invited_at, of_organisation->member.invited_at) << email;
    EXPECT_EQ(of_user->invitation.accepted_at, of_organisation->member.accepted_at) << email;
    EXPECT_EQ(of_user->invitation.organisation.name, of_organisation->organisation_name) << email;
    return true;
  }

  OrganisationDetails Details() { return Value(org_.GetOrganisationDetails("o_01")); }

  Database database_ = Value(Database::InMemory());
  Org org_ = Open(NameCopies::kInTransaction);
  EntityTable raw_{database_, Value(database_.OpenTable("org"))};
};

TEST_F(OrgRaceTest, InvitationIsAnsweredExactlyOnce) {
  std::uint32_t accepted = 0;
  constexpr std::size_t kRounds = 60;
  for (std::size_t round = 0; round < kRounds; ++round) {
    const std::string email = "user " + std::to_string(round);
    PutUser(email);
    ASSERT_THAT(org_.Invite(In(email)), IsOk());
    std::atomic<int> accepts = 0;
    std::atomic<int> declines = 0;
    RunTogether(kThreads, [&](std::size_t thread) {
      const bool accepts_it = thread % 2 == 0;
      const Status status = accepts_it ? org_.Accept(In(email)) : org_.Decline(In(email));
      if (status.ok()) ++(accepts_it ? accepts : declines);
      EXPECT_THAT(status, testing::AnyOf(IsOk(), StatusIs(StatusCode::kResourceNotFound, _),
                                         StatusIs(StatusCode::kResourceInUse, _),
                                         StatusIs(StatusCode::kConditionalCheckFailed, _)));
    });
    ASSERT_EQ(accepts + declines, 1);
    ASSERT_EQ(ExpectSidesTogether(email), accepts == 1);
    if (accepts == 1) ++accepted;
  }
  const OrganisationDetails details = Details();
  EXPECT_EQ(details.members.size(), 1 + accepted);
  EXPECT_THAT(details.invitations, IsEmpty());
}

// Six threads invite, accept and decline the same few users. Meanwhile two threads
// check both sides of the memberships.
TEST_F(OrgRaceTest, BothSidesOfAMembershipExistTogether) {
  constexpr std::size_t kWriters = 6;
  constexpr std::size_t kSteps = 300;
  std::vector<std::string> emails;
  for (int i = 0; i < 12; ++i) PutUser(emails.emplace_back("user " + std::to_string(i)));
  std::array<std::atomic<int>, 3> done = {};
  std::atomic<std::size_t> writing = kWriters;
  RunTogether(kThreads, [&](std::size_t thread) {
    Random random(TestSeed() + thread);
    if (thread >= kWriters) {
      while (writing > 0) ExpectSidesTogether(random.Pick(emails));
      return;
    }
    for (std::size_t step = 0; step < kSteps; ++step) {
      // Accepts only rarely. After a user has accepted, an Invite, Decline or Accept for this user
      // changes nothing, so the test would soon do no more work.
      const std::size_t what = random.OneIn(60) ? 2 : random.Below(2);
      const MembershipId id = In(random.Pick(emails));
      const Status status = what == 0   ? org_.Invite(id)
                            : what == 1 ? org_.Decline(id)
                                        : org_.Accept(id);
      if (status.ok()) ++done[what];
      EXPECT_THAT(status, testing::AnyOf(IsOk(), StatusIs(StatusCode::kResourceNotFound, _),
                                         StatusIs(StatusCode::kResourceInUse, _),
                                         StatusIs(StatusCode::kConditionalCheckFailed, _)));
    }
    --writing;
  });
  for (const std::string& email : emails) ExpectSidesTogether(email);
  EXPECT_GT(done[0] - done[1], 0) << "no user is invited or a member";
  EXPECT_GT(done[1], 0) << "no user has declined";
}

TEST_F(OrgRaceTest, NoChangeOfAGroupIsLost) {
  constexpr std::size_t kGroups = 40;
  const auto group = [](std::size_t thread, std::size_t i) {
    return GroupId{.service_id = thread % 2 == 0 ? "" : "billing",
                   .name = std::to_string(thread) + "." + std::to_string(i)};
  };
  ASSERT_THAT(org_.PutService("o_01", {"billing", "Billing"}), IsOk());
  RunTogether(kThreads, [&](std::size_t thread) {
    for (std::size_t i = 0; i < kGroups; ++i) {
      EXPECT_THAT(UntilDone([&] { return org_.AddToGroup(In("ann"), group(thread, i)); }), IsOk());
      if (i % 2 == 0) continue;
      EXPECT_THAT(UntilDone([&] { return org_.RemoveFromGroup(In("ann"), group(thread, i)); }),
                  IsOk());
    }
  });
  const OrganisationDetails details = Details();
  EXPECT_EQ(details.groups.size(), 1 + kThreads / 2 * kGroups / 2)
      << "the expected groups and the owners";
  EXPECT_EQ(details.services.at(0).groups.size(), kThreads / 2 * kGroups / 2);
}

// Each thread makes itself an owner, or removes an owner. The organisation has an owner all the time.
TEST_F(OrgRaceTest, AnOrganisationAlwaysHasAnOwner) {
  std::vector<std::string> emails = {"ann"};
  for (std::size_t i = 1; i < kThreads; ++i) {
    PutUser(emails.emplace_back("user " + std::to_string(i)));
    ASSERT_THAT(org_.Invite(In(emails.back())), IsOk());
    ASSERT_THAT(org_.Accept(In(emails.back())), IsOk());
  }
  std::atomic<int> refused = 0;
  RunTogether(kThreads, [&](std::size_t thread) {
    Random random(TestSeed() + thread);
    for (int step = 0; step < 60; ++step) {
      const MembershipId id = In(random.Pick(emails));
      const GroupId owners = {.name = Org::kOwners};
      // Adds only rarely. So there is often one owner alone, whom the organisation must not lose.
      const Status status = UntilDone([&] {
        return random.OneIn(6) ? org_.AddToGroup(id, owners) : org_.RemoveFromGroup(id, owners);
      });
      if (!status.ok()) ++refused;
      EXPECT_THAT(status, testing::AnyOf(IsOk(), StatusIs(StatusCode::kConditionalCheckFailed,
                                                          HasSubstr("is the last owner of o_01"))));
      EXPECT_EQ(Details().groups.size(), 1u) << "there is no owner";
    }
  });
  EXPECT_GT(refused, 0);
  const auto record = Value(raw_.Get(OrganisationRecord{.organisation = {.id = "o_01"}}));
  EXPECT_EQ(record.owners.size(), Details().groups.at(0).users.size());
}

class OrgRenameRaceTest : public OrgRaceTest, public testing::WithParamInterface<NameCopies> {
 protected:
  static constexpr std::size_t kInviters = 4;
  static constexpr std::size_t kInvitationsEach = 12;
  static constexpr std::size_t kRenamers = 3;
  static constexpr std::size_t kRenamesEach = 15;

  // Invites users. The users accept and decline the invitations in turn.
  void InviteSome(std::size_t thread) {
    for (std::size_t i = 0; i < kInvitationsEach; ++i) {
      const std::string email = std::to_string(thread) + "." + std::to_string(i);
      PutUser(email);
      EXPECT_THAT(UntilDone([&] { return way_.Invite(In(email)); }), IsOk());
      EXPECT_THAT(
          UntilDone([&] { return i % 2 == 0 ? way_.Accept(In(email)) : way_.Decline(In(email)); }),
          IsOk());
    }
  }

  void RenameSome(std::size_t thread) {
    for (std::size_t i = 0; i < kRenamesEach; ++i) {
      const std::string name = std::to_string(thread) + " " + std::to_string(i);
      EXPECT_THAT(UntilDone([&] { return way_.RenameOrganisation("o_01", name); }), IsOk());
    }
  }

  // Does one step of a thread that runs during the renames. The step depends on how a rename
  // updates the members' copies of the name:
  // - kInTransaction: compares the organisation's name with the copy of one member. Both must be
  //   equal.
  // - kOnRead: reads the organisation as one member, which updates the copy of this member.
  // - kByFeed: delivers the renames to the copies.
  void Watch(Random* random) {
    const std::string email = random->OneIn(4) ? "ann" : RandomMember(random);
    if (GetParam() == NameCopies::kInTransaction) {
      const auto [organisation, copy] = Value(
          raw_.TransactGet(OrganisationRecord{.organisation = {.id = "o_01"}}, UserSide(email)));
      if (copy) ExpectFresh(organisation->organisation, *copy);
    } else if (GetParam() == NameCopies::kOnRead) {
      way_.GetOrganisationAs(In(email)).status().IgnoreError();
    } else {
      EXPECT_THAT(feed_->Deliver(), IsOk());
    }
  }

  static std::string RandomMember(Random* random) {
    return std::to_string(random->Below(kInviters)) + "." +
           std::to_string(random->Below(kInvitationsEach));
  }

  static void ExpectFresh(const Organisation& organisation, const UserOrganisationRecord& copy) {
    EXPECT_EQ(copy.invitation.organisation, organisation) << copy.email.text();
  }

  // Updates all stale name copies: delivers the renames with kByFeed, or reads the organisation as
  // each member with kOnRead.
  void Settle(const std::vector<Member>& members) {
    if (GetParam() == NameCopies::kByFeed) {
      EXPECT_THAT(feed_->Deliver(), IsOk());
    } else if (GetParam() == NameCopies::kOnRead) {
      for (const Member& member : members) {
        EXPECT_THAT(way_.GetOrganisationAs(In(member.user.email.text())), IsOk());
      }
    }
  }

  Org way_ = Open(GetParam());
  std::optional<Subscription> feed_;
};
INSTANTIATE_TEST_SUITE_P(NameCopies, OrgRenameRaceTest,
                         testing::Values(NameCopies::kInTransaction, NameCopies::kOnRead,
                                         NameCopies::kByFeed),
                         [](const auto& way) {
                           if (way.param == NameCopies::kInTransaction) return "InTransaction";
                           return way.param == NameCopies::kOnRead ? "OnRead" : "ByFeed";
                         });

TEST_P(OrgRenameRaceTest, NoNameCopyStaysStale) {
  if (GetParam() == NameCopies::kByFeed) feed_ = Value(way_.KeepNamesFresh(false));
  std::atomic<std::size_t> writing = kInviters + kRenamers;
  RunTogether(kThreads, [&](std::size_t thread) {
    Random random(TestSeed() + thread);
    if (thread == kThreads - 1) {
      while (writing > 0) Watch(&random);
      return;
    }
    if (thread < kInviters) {
      InviteSome(thread);
    } else {
      RenameSome(thread);
    }
    --writing;
  });

  const OrganisationDetails details = Details();
  Settle(details.members);
  EXPECT_EQ(details.members.size(), 1 + kInviters * kInvitationsEach / 2);
  EXPECT_THAT(details.invitations, IsEmpty());
  for (const Member& member : details.members) {
    ExpectFresh(details.organisation, Value(raw_.Get(UserSide(member.user.email.text()))));
  }
}

// Each round invites a user and renames the organisation concurrently. Then it checks the copy of
// the organisation's name in the user's item. If a round had several renames, a later rename could
// correct a stale copy before the check.
TEST_P(OrgRenameRaceTest, UserInvitedDuringARenameGetsTheNewName) {
  if (GetParam() == NameCopies::kByFeed) feed_ = Value(way_.KeepNamesFresh(false));
  // Each round adds a member. A rename that uses one transaction changes the copy of the name in
  // both items of each member, and locks all these items. Thread sanitizer supports at most 64 locks
  // per thread, so the test runs only 25 rounds.
  constexpr int kRounds = 25;
  for (int round = 0; round < kRounds; ++round) {
    const std::string email = "user " + std::to_string(round);
    PutUser(email);
    RunTogether(2, [&](std::size_t thread) {
      if (thread == 0) {
        EXPECT_THAT(UntilDone([&] { return way_.Invite(In(email)); }), IsOk());
      } else {
        EXPECT_THAT(UntilDone([&] {
                      return way_.RenameOrganisation("o_01", "Name " + std::to_string(round));
                    }),
                    IsOk());
        if (feed_) Value(feed_->Deliver());
      }
    });
    ASSERT_THAT(way_.Accept(In(email)), IsOk());
    Settle({{.user = {.email = email}}});
    ExpectFresh(Value(org_.GetOrganisation("o_01")), Value(raw_.Get(UserSide(email))));
    if (HasFailure()) return;
  }
}

TEST_P(OrgRenameRaceTest, NoRenameIsLost) {
  if (GetParam() == NameCopies::kByFeed) feed_ = Value(way_.KeepNamesFresh(false));
  constexpr int kRounds = 20;
  for (int round = 1; round <= kRounds; ++round) {
    RunTogether(kThreads, [&](std::size_t thread) {
      EXPECT_THAT(
          UntilDone([&] { return way_.RenameOrganisation("o_01", std::to_string(thread)); }),
          IsOk());
    });
    Settle({{.user = {.email = "ann"}}});
    const auto organisation = Value(raw_.Get(OrganisationRecord{.organisation = {.id = "o_01"}}));
    ASSERT_EQ(organisation.version, 1 + round * static_cast<int>(kThreads));
    ExpectFresh(organisation.organisation, Value(raw_.Get(UserSide("ann"))));
    if (HasFailure()) return;
  }
}

}  // namespace
}  // namespace dolmen::org
