// Tests of the copies of an organisation's name, with each NameCopies.

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>

#include "tests/models/org_fixture.h"

namespace dolmen::org {
namespace {

const MembershipId kAnn = {"o_quarry", "ann@example.com"};
const MembershipId kBob = {"o_quarry", "bob@example.com"};
const MembershipId kDan = {"o_quarry", "dan@example.com"};  // an open invitation

class OrgNamesTest : public OrgTest {
 protected:
  // Returns the user's copy of the name; "" if it does not exist.
  std::string Copy(const MembershipId& id) {
    const auto copy = Value(raw_.Find(UserSide(id)));
    return copy ? copy->invitation.organisation.name : "";
  }

  // Invites users until the organisation has `count` members and invitations.
  void FillUp(std::size_t count) {
    const OrganisationDetails details = Details("o_quarry");
    for (std::size_t i = details.members.size() + details.invitations.size(); i < count; ++i) {
      ASSERT_THAT(org_.Invite({"o_quarry", std::to_string(i) + "@example.com"}), IsOk());
    }
  }

  static std::size_t Deliver(Subscription* fresh) { return Value(fresh->Deliver()); }
};

TEST_F(OrgNamesTest, InTransactionUpdatesAllCopiesAtOnce) {
  ASSERT_THAT(org_.RenameOrganisation("o_quarry", "Granite"), IsOk());
  for (const MembershipId& id : {kAnn, kBob, kDan})
    EXPECT_EQ(Copy(id), "Granite") << id.email.text();
  EXPECT_EQ(Copy({"o_press", "ann@example.com"}), "Menhir Press");
  ASSERT_THAT(org_.RenameOrganisation("o_quarry", "Basalt"), IsOk());
  for (const MembershipId& id : {kAnn, kBob, kDan})
    EXPECT_EQ(Copy(id), "Basalt") << id.email.text();
  EXPECT_EQ(Details("o_quarry").organisation.name, "Basalt");
}

TEST_F(OrgNamesTest, InTransactionRejectsMoreCopiesThanATransactionHolds) {
  FillUp(Org::kCopiesInTransactionMax);
  ASSERT_THAT(org_.RenameOrganisation("o_quarry", "Granite"), IsOk());
  EXPECT_EQ(Copy({"o_quarry", "48@example.com"}), "Granite");

  FillUp(Org::kCopiesInTransactionMax + 1);
  TakeCost();
  EXPECT_THAT(
      org_.RenameOrganisation("o_quarry", "Basalt"),
      StatusIs(StatusCode::kValidation,
               "organisation o_quarry has more than 49 members and invitations, too many for one "
               "transaction; rename it with NameCopies::kByFeed or NameCopies::kOnRead"));
  EXPECT_EQ(TakeCost().write_units, 0);
  EXPECT_EQ(Details("o_quarry").organisation.name, "Granite");
  EXPECT_EQ(Copy(kAnn), "Granite");
}

// kInTransaction cannot rename a large organisation. Its error tells the user to use kByFeed or
// kOnRead, so these two must be able to rename one.
TEST_F(OrgNamesTest, LargeOrganisationsAreRenamedOnReadOrByFeed) {
  FillUp(150);
  const Org by_feed = Open(NameCopies::kByFeed);
  Subscription fresh = Value(by_feed.KeepNamesFresh(/*in_background=*/false));
  ASSERT_THAT(by_feed.RenameOrganisation("o_quarry", "Granite"), IsOk());
  Deliver(&fresh);
  for (int i = 5; i < 150; ++i) {
    ASSERT_EQ(Copy({"o_quarry", std::to_string(i) + "@example.com"}), "Granite");
  }

  const Org on_read = Open(NameCopies::kOnRead);
  ASSERT_THAT(on_read.RenameOrganisation("o_quarry", "Basalt"), IsOk());
  ASSERT_THAT(on_read.GetOrganisationAs(kBob), IsOk());
  EXPECT_EQ(Copy(kBob), "Basalt");
}

TEST_F(OrgNamesTest, OnReadUpdatesACopyWhenItsUserLooks) {
  const Org org = Open(NameCopies::kOnRead);
  TakeCost();
  ASSERT_THAT(org.RenameOrganisation("o_quarry", "Granite"), IsOk());
  EXPECT_EQ(TakeCost(), (Cost{{"UpdateItem"}, 0, 1}));
  EXPECT_EQ(Copy(kAnn), "Quarry Works");
  TakeCost();

  EXPECT_EQ(Value(org.GetOrganisationAs(kAnn)).organisation.name, "Granite");
  EXPECT_EQ(TakeCost(), (Cost{{"Query", "TransactWriteItems"}, 0.5, 4}));
  EXPECT_EQ(Copy(kAnn), "Granite");
  EXPECT_EQ(Copy(kBob), "Quarry Works") << "a user's read updates only the copy of that user";
  TakeCost();

  EXPECT_THAT(org.GetOrganisationAs(kAnn), IsOk());
  EXPECT_EQ(TakeCost(), (Cost{{"Query"}, 0.5, 0})) << "an up-to-date copy is not written again";
  EXPECT_THAT(org.GetOrganisationAs({"o_quarry", "nobody@example.com"}),
              StatusIs(StatusCode::kResourceNotFound, _));
  EXPECT_EQ(TakeCost(), (Cost{{"Query"}, 0.5, 0}))
      << "no copy is created for a user who is not a member";
}

TEST_F(OrgNamesTest, OnReadUpdatesAnInvitationOnceItIsAccepted) {
  const Org org = Open(NameCopies::kOnRead);
  ASSERT_THAT(org.RenameOrganisation("o_quarry", "Granite"), IsOk());
  ASSERT_THAT(org.Accept(kDan), IsOk());
  EXPECT_EQ(Copy(kDan), "Quarry Works");
  ASSERT_THAT(org.GetOrganisationAs(kDan), IsOk());
  EXPECT_EQ(Copy(kDan), "Granite");
}

TEST_F(OrgNamesTest, ByFeedUpdatesCopiesAfterTheRename) {
  const Org org = Open(NameCopies::kByFeed);
  Subscription fresh = Value(org.KeepNamesFresh(/*in_background=*/false));
  TakeCost();
  ASSERT_THAT(org.RenameOrganisation("o_quarry", "Granite"), IsOk());
  EXPECT_EQ(TakeCost(), (Cost{{"UpdateItem"}, 0, 1}));
  EXPECT_EQ(Copy(kAnn), "Quarry Works");
  TakeCost();

  EXPECT_GE(Deliver(&fresh), 1u);
  const Cost cost = TakeCost();
  EXPECT_EQ(std::ranges::count(cost.operations, "TransactWriteItems"), 5);
  EXPECT_EQ(cost.read_units, 1);
  EXPECT_EQ(cost.write_units, 5 * 4);
  for (const MembershipId& id : {kAnn, kBob, kDan})
    EXPECT_EQ(Copy(id), "Granite") << id.email.text();
  EXPECT_EQ(Copy({"o_press", "ann@example.com"}), "Menhir Press");
}

TEST_F(OrgNamesTest, ByFeedWritesAfterRenamesOnly) {
  const Org org = Open(NameCopies::kByFeed);
  Subscription fresh = Value(org.KeepNamesFresh(/*in_background=*/false));
  ASSERT_THAT(org.Invite({"o_quarry", "fay@example.com"}), IsOk());
  ASSERT_THAT(org.Accept(kDan), IsOk());
  ASSERT_THAT(org.PutService("o_quarry", {"archive", "Archive"}), IsOk());
  Value(org.CreateOrganisation({"o_new", "New"}, "ann@example.com"));
  TakeCost();
  Deliver(&fresh);
  EXPECT_THAT(TakeCost().operations, IsEmpty());
  ASSERT_THAT(org.RenameOrganisation("o_new", "Newer"), IsOk());
  TakeCost();
  Deliver(&fresh);
  EXPECT_EQ(TakeCost().write_units, 4) << "the only member's copy on both sides";
  Deliver(&fresh);
  EXPECT_THAT(TakeCost().operations, IsEmpty()) << "a changed copy causes no further change";
}

TEST_F(OrgNamesTest, ByFeedCopiesRenamesThatWereMissed) {
  const Org org = Open(NameCopies::kByFeed);
  ASSERT_THAT(org.RenameOrganisation("o_quarry", "Granite"), IsOk());
  clock_->Advance(std::chrono::days(29));
  Subscription fresh = Value(org.KeepNamesFresh(/*in_background=*/false));
  Deliver(&fresh);
  EXPECT_EQ(Copy(kAnn), "Granite");
}

TEST_F(OrgNamesTest, ByFeedARepeatedRecordKeepsTheNewerName) {
  const Org org = Open(NameCopies::kByFeed);
  ASSERT_THAT(org.RenameOrganisation("o_quarry", "Granite"), IsOk());
  ASSERT_THAT(org.RenameOrganisation("o_quarry", "Basalt"), IsOk());
  Subscription fresh = Value(org.KeepNamesFresh(/*in_background=*/false));
  Deliver(&fresh);
  EXPECT_EQ(Copy(kAnn), "Basalt");
  ASSERT_THAT(Open(NameCopies::kOnRead).RenameOrganisation("o_quarry", "Slate"), IsOk());
  ASSERT_THAT(fresh.Seek({.type = ShardIteratorType::kTrimHorizon}), IsOk());
  Deliver(&fresh);
  EXPECT_EQ(Copy(kAnn), "Slate") << "an older name must not replace a newer one";
}

TEST_F(OrgNamesTest, ByFeedARemovedCopyStaysRemoved) {
  const Org org = Open(NameCopies::kByFeed);
  ASSERT_THAT(org.RenameOrganisation("o_quarry", "Granite"), IsOk());
  ASSERT_THAT(org.Decline(kDan), IsOk());
  // This user declines after the subscription has read the members and before it changes the copies.
  const MembershipId eve = {"o_quarry", "eve@example.com"};
  bool done = false;
  const Org interrupted =
      Value(Org::Open(database_, {.observer = [&](const RequestTrace& trace) {
                        if (trace.operation != "Query" || std::exchange(done, true)) return;
                        EXPECT_THAT(org.Decline(eve), IsOk());
                      }}));
  Subscription fresh = Value(interrupted.KeepNamesFresh(/*in_background=*/false));
  Deliver(&fresh);
  EXPECT_TRUE(done);
  EXPECT_EQ(Copy(kDan), "");
  EXPECT_EQ(Copy(eve), "");
  EXPECT_EQ(Copy(kAnn), "Granite");
}

TEST_F(OrgNamesTest, ByFeedARemovedOrganisationIsSkipped) {
  const Org org = Open(NameCopies::kByFeed);
  ASSERT_THAT(org.RenameOrganisation("o_quarry", "Granite"), IsOk());
  ASSERT_THAT(org.RemoveOrganisation("o_quarry"), IsOk());
  Subscription fresh = Value(org.KeepNamesFresh(/*in_background=*/false));
  Deliver(&fresh);
  EXPECT_EQ(Copy(kAnn), "");
}

TEST_F(OrgNamesTest, AnInvitationAfterARenameHasTheNewName) {
  for (const NameCopies way :
       {NameCopies::kInTransaction, NameCopies::kOnRead, NameCopies::kByFeed}) {
    const Org org = Open(way);
    const std::string name = "Name " + std::to_string(static_cast<int>(way));
    ASSERT_THAT(org.RenameOrganisation("o_quarry", name), IsOk());
    const MembershipId fay = {"o_quarry", "fay" + name};
    ASSERT_THAT(org.Invite(fay), IsOk());
    EXPECT_EQ(Copy(fay), name);
  }
}

TEST_F(OrgNamesTest, KeepNamesFreshRequiresAStream) {
  EXPECT_THAT(org_.KeepNamesFresh(), StatusIs(StatusCode::kValidation, _));
  Open(NameCopies::kByFeed);
  EXPECT_THAT(org_.KeepNamesFresh(), IsOk()) << "the table has a stream since kByFeed opened it";
  Open(NameCopies::kByFeed);
  const Subscription first = Value(org_.KeepNamesFresh());
  EXPECT_THAT(org_.KeepNamesFresh(), StatusIs(StatusCode::kResourceInUse, _));
}

// A fixture that lets other writers write between two requests of an operation.
class OrgNamesRaceTest : public OrgNamesTest {
 protected:
  // Returns a handle that calls `meanwhile` once, after the handle's first request of the kind
  // `operation`.
  Org OpenInterrupted(NameCopies way, const std::string& operation,
                      std::function<void()> meanwhile) {
    const auto observe = [operation, meanwhile, done = std::make_shared<bool>(false),
                          log = log_.observer()](const RequestTrace& trace) {
      log(trace);
      if (trace.operation != operation || std::exchange(*done, true)) return;
      meanwhile();
    };
    return Value(Org::Open(database_, {.name_copies = way, .observer = observe}));
  }

  // Renames with kInTransaction, and calls `meanwhile` between the read and the write.
  void RenameWhile(const std::function<void()>& meanwhile) {
    const Org org = OpenInterrupted(NameCopies::kInTransaction, "Query", meanwhile);
    ASSERT_THAT(org.RenameOrganisation("o_quarry", "Granite"), IsOk());
    ExpectAllFresh("Granite");
  }

  void ExpectAllFresh(const std::string& name) {
    const OrganisationDetails details = Details("o_quarry");
    EXPECT_EQ(details.organisation.name, name);
    for (const auto* members : {&details.members, &details.invitations}) {
      for (const Member& member : *members) {
        const MembershipId id = {"o_quarry", member.user.email};
        EXPECT_EQ(Copy(id), name) << id.email.text();
        EXPECT_EQ(Value(raw_.Get(OrganisationSide(id))).organisation_name, name);
      }
    }
  }

  const MembershipId fay_ = {"o_quarry", "fay@example.com"};
};

TEST_F(OrgNamesRaceTest, AnInvitationDuringARenameHasTheNewName) {
  const Org by_feed = Open(NameCopies::kByFeed);
  Subscription fresh = Value(by_feed.KeepNamesFresh(/*in_background=*/false));
  const Org inviting = OpenInterrupted(NameCopies::kByFeed, "GetItem", [&] {
    ASSERT_THAT(by_feed.RenameOrganisation("o_quarry", "Granite"), IsOk());
    Deliver(&fresh);
  });
  TakeCost();
  ASSERT_THAT(inviting.Invite(fay_), IsOk());
  const std::vector<std::string> operations = TakeCost().operations;
  EXPECT_EQ(std::ranges::count(operations, "TransactWriteItems"), 5 + 2)
      << "the feed has renewed five copies, and the invitation was tried again";
  ExpectAllFresh("Granite");
}

TEST_F(OrgNamesRaceTest, ARenameReachesAUserInvitedBeforeItsWrite) {
  RenameWhile([&] { ASSERT_THAT(org_.Invite(fay_), IsOk()); });
  EXPECT_EQ(Copy(fay_), "Granite");
}

TEST_F(OrgNamesRaceTest, ARenameReachesAUserInvitedBetweenItsReads) {
  const Org org = OpenInterrupted(NameCopies::kInTransaction, "GetItem",
                                  [&] { ASSERT_THAT(org_.Invite(fay_), IsOk()); });
  ASSERT_THAT(org.RenameOrganisation("o_quarry", "Granite"), IsOk());
  ExpectAllFresh("Granite");
  EXPECT_EQ(Copy(fay_), "Granite");
}

TEST_F(OrgNamesRaceTest, ARenameSkipsAUserWhoDeclinesMeanwhile) {
  RenameWhile([&] { ASSERT_THAT(org_.Decline(kDan), IsOk()); });
  EXPECT_EQ(Copy(kDan), "");
}

// During the rename one member leaves and one joins, so their number stays the same. The rename
// must still notice the new member.
TEST_F(OrgNamesRaceTest, ARenameNoticesChangedMembersOfTheSameNumber) {
  RenameWhile([&] {
    ASSERT_THAT(org_.Decline(kDan), IsOk());
    ASSERT_THAT(org_.Invite(fay_), IsOk());
  });
  EXPECT_EQ(Copy(fay_), "Granite");
}

TEST_F(OrgNamesRaceTest, TheLaterOfTwoRenamesWins) {
  RenameWhile([&] { ASSERT_THAT(org_.RenameOrganisation("o_quarry", "Basalt"), IsOk()); });
}

TEST_F(OrgNamesRaceTest, OnReadKeepsANewerCopy) {
  ASSERT_THAT(Open(NameCopies::kOnRead).RenameOrganisation("o_quarry", "Granite"), IsOk());
  const Org looking = OpenInterrupted(NameCopies::kOnRead, "Query", [&] {
    ASSERT_THAT(org_.RenameOrganisation("o_quarry", "Basalt"), IsOk());
  });
  EXPECT_EQ(Value(looking.GetOrganisationAs(kAnn)).organisation.name, "Granite");
  ExpectAllFresh("Basalt");
}

TEST_F(OrgNamesRaceTest, OnReadCreatesNoCopyForARemovedMember) {
  ASSERT_THAT(Open(NameCopies::kOnRead).RenameOrganisation("o_quarry", "Granite"), IsOk());
  const Org looking = OpenInterrupted(NameCopies::kOnRead, "Query", [&] {
    ASSERT_THAT(raw_.Remove(OrganisationSide(kAnn)), IsOk());
  });
  EXPECT_THAT(looking.GetOrganisationAs(kAnn), IsOk());
  const auto [of_user, of_organisation] = Sides(kAnn);
  EXPECT_FALSE(of_user);
  EXPECT_FALSE(of_organisation);
}

// A handle with kOnRead renames an organisation, and leaves the members' copies of the name
// unchanged. A handle with another NameCopies renames it again and updates the copies. The first
// handle must accept these copies.
TEST_F(OrgNamesTest, HandlesWithDifferentNameCopiesMayBeMixed) {
  const Org on_read = Open(NameCopies::kOnRead);
  ASSERT_THAT(on_read.RenameOrganisation("o_quarry", "Granite"), IsOk());
  ASSERT_THAT(org_.RenameOrganisation("o_quarry", "Basalt"), IsOk());
  EXPECT_EQ(Copy(kAnn), "Basalt");
  ASSERT_THAT(on_read.GetOrganisationAs(kAnn), IsOk());
  EXPECT_EQ(Copy(kAnn), "Basalt");
  TakeCost();
  ASSERT_THAT(on_read.GetOrganisationAs(kAnn), IsOk());
  EXPECT_EQ(TakeCost().operations, std::vector<std::string>{"Query"});
}

TEST_F(OrgNamesTest, RenameRequiresAnOrganisationAndAName) {
  for (const NameCopies way :
       {NameCopies::kInTransaction, NameCopies::kOnRead, NameCopies::kByFeed}) {
    const Org org = Open(way);
    EXPECT_THAT(org.RenameOrganisation("o_none", "Granite"),
                StatusIs(StatusCode::kResourceNotFound,
                         "there is no organisation with organisationId \"o_none\""));
    EXPECT_THAT(org.RenameOrganisation("o_quarry", ""),
                StatusIs(StatusCode::kValidation, HasSubstr("organisationName is empty")));
  }
  EXPECT_EQ(Details("o_quarry").organisation.name, "Quarry Works");
}

}  // namespace
}  // namespace dolmen::org
