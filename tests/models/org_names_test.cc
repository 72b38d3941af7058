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
    const auto copy = Value(raw_.Find(UserOrganisation{.id = id}));
    return copy ? copy->organisation_name : "";
  }

  // Invites users until the organisation has `count` members and invitations.
  void FillUp(std::uint32_t count) {
    const std::uint32_t from = Value(org_.GetOrganisation("o_quarry")).organisation.member_count;
    for (std::uint32_t i = from; i < count; ++i) {
      ASSERT_THAT(org_.Invite({.id = {"o_quarry", std::to_string(i) + "@example.com"}}), IsOk());
    }
  }

  // Returns the stream records of all renames so far.
  std::vector<StreamRecord> Renames() {
    std::vector<StreamRecord> renames;
    const SubscribeInput input = {
        .name = "test",
        .filter = Attr("eventName") == "MODIFY" && Attr("Keys")["SK"] == "organisation" &&
                  Attr("NewImage")["organisationName"] != Attr("OldImage")["organisationName"],
        .in_background = false};
    Subscription all = Value(raw_.table().Subscribe(input, [&](const StreamRecord& record) {
      renames.push_back(record);
      return Status();
    }));
    Value(all.Deliver());
    return renames;
  }

  static std::size_t Deliver(Subscription* fresh) { return Value(fresh->Deliver()); }
};

TEST_F(OrgNamesTest, InTransactionUpdatesAllCopiesAtOnce) {
  ASSERT_THAT(org_.RenameOrganisation("o_quarry", "Granite"), IsOk());
  for (const MembershipId& id : {kAnn, kBob, kDan}) EXPECT_EQ(Copy(id), "Granite") << id.email;
  EXPECT_EQ(Copy({"o_press", "ann@example.com"}), "Menhir Press");
  ASSERT_THAT(org_.RenameOrganisation("o_quarry", "Basalt"), IsOk());
  for (const MembershipId& id : {kAnn, kBob, kDan}) EXPECT_EQ(Copy(id), "Basalt") << id.email;
  EXPECT_EQ(Value(org_.GetOrganisation("o_quarry")).organisation.name_version, 3);
}

TEST_F(OrgNamesTest, InTransactionRejectsMoreCopiesThanATransactionHolds) {
  FillUp(Org::kCopiesInTransactionMax);
  ASSERT_THAT(org_.RenameOrganisation("o_quarry", "Granite"), IsOk());
  EXPECT_EQ(Copy({"o_quarry", "98@example.com"}), "Granite");

  FillUp(Org::kCopiesInTransactionMax + 1);
  TakeCost();
  EXPECT_THAT(
      org_.RenameOrganisation("o_quarry", "Basalt"),
      StatusIs(
          StatusCode::kValidation,
          "organisation o_quarry has 100 members and invitations, but one transaction can update "
          "at most 99 copies of its name; rename it with NameCopies::kByFeed or "
          "NameCopies::kOnRead"));
  EXPECT_EQ(TakeCost(), (Cost{{"GetItem"}, 0.5, 0}));
  EXPECT_EQ(Value(org_.GetOrganisation("o_quarry")).organisation.name, "Granite");
  EXPECT_EQ(Copy(kAnn), "Granite");
}

// kInTransaction cannot rename a large organisation. Its error tells the user to use kByFeed or
// kOnRead, so these two must be able to rename one.
TEST_F(OrgNamesTest, LargeOrganisationsAreRenamedOnReadOrByFeed) {
  FillUp(150);
  const Org by_feed = Open(NameCopies::kByFeed);
  Subscription fresh = Value(by_feed.KeepNamesFresh(/*in_background=*/false));
  ASSERT_THAT(by_feed.RenameOrganisation("o_quarry", "Granite"), IsOk());
  EXPECT_EQ(Deliver(&fresh), 1u);
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
  EXPECT_EQ(TakeCost(), (Cost{{"Query", "UpdateItem", "UpdateItem"}, 0.5, 2}));
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

  EXPECT_EQ(Deliver(&fresh), 1u);
  const std::vector<std::string> operations = {"Query",      "UpdateItem", "UpdateItem",
                                               "UpdateItem", "UpdateItem", "UpdateItem"};
  EXPECT_EQ(TakeCost(), (Cost{operations, 0.5, 5}));
  for (const MembershipId& id : {kAnn, kBob, kDan}) EXPECT_EQ(Copy(id), "Granite") << id.email;
  EXPECT_EQ(Copy({"o_press", "ann@example.com"}), "Menhir Press");
}

TEST_F(OrgNamesTest, ByFeedDeliversRenamesOnly) {
  const Org org = Open(NameCopies::kByFeed);
  Subscription fresh = Value(org.KeepNamesFresh(/*in_background=*/false));
  ASSERT_THAT(org.Invite({.id = {"o_quarry", "fay@example.com"}}), IsOk());
  ASSERT_THAT(org.Accept(kDan), IsOk());
  ASSERT_THAT(org.PutService({"o_quarry", "archive", "Archive"}), IsOk());
  Value(org.CreateOrganisation({"o_new", "New", "ann@example.com"}));
  EXPECT_EQ(Deliver(&fresh), 0u);
  ASSERT_THAT(org.RenameOrganisation("o_new", "Newer"), IsOk());
  EXPECT_EQ(Deliver(&fresh), 1u);
  EXPECT_EQ(Deliver(&fresh), 0u) << "the updated copies are not delivered";
}

TEST_F(OrgNamesTest, ByFeedCopiesRenamesThatWereMissed) {
  const Org org = Open(NameCopies::kByFeed);
  ASSERT_THAT(org.RenameOrganisation("o_quarry", "Granite"), IsOk());
  clock_->Advance(std::chrono::days(29));
  Subscription fresh = Value(org.KeepNamesFresh(/*in_background=*/false));
  EXPECT_EQ(Deliver(&fresh), 1u);
  EXPECT_EQ(Copy(kAnn), "Granite");
}

TEST_F(OrgNamesTest, ByFeedARepeatedOrLateRecordKeepsTheNewerName) {
  const Org org = Open(NameCopies::kByFeed);
  ASSERT_THAT(org.RenameOrganisation("o_quarry", "Granite"), IsOk());
  ASSERT_THAT(org.RenameOrganisation("o_quarry", "Basalt"), IsOk());
  const std::vector<StreamRecord> renames = Renames();
  ASSERT_EQ(renames.size(), 2u);
  ASSERT_THAT(org.CopyName(renames[1]), IsOk());
  ASSERT_THAT(org.CopyName(renames[0]), IsOk());
  EXPECT_EQ(Copy(kAnn), "Basalt") << "an older name must not replace a newer one";
  ASSERT_THAT(org.CopyName(renames[1]), IsOk());
  EXPECT_EQ(Copy(kAnn), "Basalt");
}

TEST_F(OrgNamesTest, ByFeedARemovedCopyStaysRemoved) {
  const Org org = Open(NameCopies::kByFeed);
  ASSERT_THAT(org.RenameOrganisation("o_quarry", "Granite"), IsOk());
  ASSERT_THAT(org.Decline(kDan), IsOk());
  // Simulates a user who declines after the subscription has read the members and before it changes
  // the copies.
  ASSERT_THAT(raw_.Remove(UserOrganisation{.id = kBob}), IsOk());
  Subscription fresh = Value(org.KeepNamesFresh(/*in_background=*/false));
  EXPECT_EQ(Deliver(&fresh), 1u);
  EXPECT_EQ(Copy(kDan), "");
  EXPECT_EQ(Copy(kBob), "");
  EXPECT_EQ(Copy(kAnn), "Granite");
}

TEST_F(OrgNamesTest, AnInvitationAfterARenameHasTheNewName) {
  for (const NameCopies way :
       {NameCopies::kInTransaction, NameCopies::kOnRead, NameCopies::kByFeed}) {
    const Org org = Open(way);
    const std::string name = "Name " + std::to_string(static_cast<int>(way));
    ASSERT_THAT(org.RenameOrganisation("o_quarry", name), IsOk());
    const MembershipId fay = {"o_quarry", "fay" + name};
    ASSERT_THAT(org.Invite({.id = fay}), IsOk());
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
    const OrganisationDetails details = Value(org_.GetOrganisation("o_quarry"));
    EXPECT_EQ(details.organisation.name, name);
    for (const auto* side : {&details.members, &details.invitations}) {
      for (const OrganisationMember& member : *side) {
        const UserOrganisation copy = Value(raw_.Get(UserOrganisation{.id = member.id}));
        EXPECT_EQ(copy.organisation_name, name) << member.id.email;
        EXPECT_EQ(copy.name_version, details.organisation.name_version) << member.id.email;
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
    EXPECT_EQ(Deliver(&fresh), 1u);
  });
  TakeCost();
  ASSERT_THAT(inviting.Invite({.id = fay_}), IsOk());
  const std::vector<std::string> operations = TakeCost().operations;
  EXPECT_EQ(std::ranges::count(operations, "TransactWriteItems"), 2)
      << "the invitation was tried again";
  ExpectAllFresh("Granite");
}

TEST_F(OrgNamesRaceTest, ARenameReachesAUserInvitedBeforeItsWrite) {
  RenameWhile([&] { ASSERT_THAT(org_.Invite({.id = fay_}), IsOk()); });
  EXPECT_EQ(Copy(fay_), "Granite");
}

TEST_F(OrgNamesRaceTest, ARenameReachesAUserInvitedBetweenItsReads) {
  const Org org = OpenInterrupted(NameCopies::kInTransaction, "GetItem",
                                  [&] { ASSERT_THAT(org_.Invite({.id = fay_}), IsOk()); });
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
    ASSERT_THAT(org_.Invite({.id = fay_}), IsOk());
  });
  EXPECT_EQ(Copy(fay_), "Granite");
}

TEST_F(OrgNamesRaceTest, TheLaterOfTwoRenamesWins) {
  RenameWhile([&] { ASSERT_THAT(org_.RenameOrganisation("o_quarry", "Basalt"), IsOk()); });
  EXPECT_EQ(Value(org_.GetOrganisation("o_quarry")).organisation.name_version, 3);
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
    ASSERT_THAT(raw_.Remove(UserOrganisation{.id = kAnn}), IsOk());
    ASSERT_THAT(raw_.Remove(OrganisationMember{.id = kAnn}), IsOk());
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
                StatusIs(StatusCode::kValidation, "an organisation needs a name"));
  }
  EXPECT_EQ(Value(org_.GetOrganisation("o_quarry")).organisation.name, "Quarry Works");
}

}  // namespace
}  // namespace dolmen::org
