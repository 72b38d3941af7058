// Tests of invitations, members and groups, and of their errors.

#include <dolmen/update_builder.h>
#include <gtest/gtest.h>

#include "tests/models/org_fixture.h"

namespace dolmen::org {
namespace {

using std::chrono::hours;

const MembershipId kAnnInMuseum = {"o_museum", "ann@example.com"};  // an open invitation
const MembershipId kAnnInPress = {"o_press", "ann@example.com"};    // a member
const MembershipId kCleoInPress = {"o_press", "cleo@example.com"};  // the only owner
const MembershipId kDanInPress = {"o_press", "dan@example.com"};    // neither invited nor a member
const GroupId kOwner = {.name = Org::kOwners};

class OrgMembershipTest : public OrgTest {
 protected:
  void ExpectNoSides(const MembershipId& id) {
    const auto [of_user, of_organisation] = Sides(id);
    EXPECT_FALSE(of_user || of_organisation);
  }
};

TEST_F(OrgMembershipTest, InviteWritesBothSides) {
  clock_->Advance(hours(1));
  ASSERT_THAT(org_.Invite(kDanInPress, {"editor", "reader"}), IsOk());
  EXPECT_EQ(TakeCost(), (Cost{{"GetItem", "TransactWriteItems"}, 0.5, 6}));
  const auto [of_user, of_organisation] = Sides(kDanInPress);
  EXPECT_EQ(of_user->invitation, (Invitation{.organisation = {"o_press", "Menhir Press"},
                                             .invited_at = kNoon + hours(1)}));
  EXPECT_EQ(of_organisation->member, (Member{.user = {.email = "dan@example.com"},
                                             .groups = {{.name = "editor"}, {.name = "reader"}},
                                             .invited_at = kNoon + hours(1)}));
}

TEST_F(OrgMembershipTest, InviteRejectsMembersAndMalformedRequests) {
  EXPECT_THAT(org_.Invite(kDanInQuarry),
              StatusIs(StatusCode::kResourceInUse, HasSubstr("there is an organisationMember")));
  EXPECT_THAT(org_.Invite(kAnnInPress), StatusIs(StatusCode::kResourceInUse, _));
  EXPECT_THAT(org_.Invite({"o_none", "dan@example.com"}),
              StatusIs(StatusCode::kResourceNotFound,
                       "there is no organisation with organisationId \"o_none\""));
  EXPECT_THAT(org_.Invite(kDanInPress, {"web/editor"}),
              StatusIs(StatusCode::kValidation, HasSubstr("\"web/editor\"")));
  EXPECT_THAT(org_.Invite(kDanInPress, {""}),
              StatusIs(StatusCode::kValidation, HasSubstr("a name for each group")));
  EXPECT_THAT(org_.Invite({"o_press", ""}),
              StatusIs(StatusCode::kValidation, HasSubstr("emailAddress")));
  EXPECT_THAT(org_.Invite(kDanInPress, {"owner"}),
              StatusIs(StatusCode::kValidation, HasSubstr("must be a member first")));
  ExpectNoSides(kDanInPress);
}

TEST_F(OrgMembershipTest, AcceptChangesBothSides) {
  clock_->Advance(hours(1));
  ASSERT_THAT(org_.Accept(kDanInQuarry), IsOk());
  EXPECT_EQ(TakeCost(), (Cost{{"GetItem", "TransactWriteItems"}, 0.5, 4}));
  const auto [of_user, of_organisation] = Sides(kDanInQuarry);
  EXPECT_EQ(of_user->invitation, (Invitation{.organisation = {"o_quarry", "Quarry Works"},
                                             .invited_at = kNoon,
                                             .accepted_at = kNoon + hours(1)}));
  EXPECT_EQ(of_organisation->member, (Member{.user = Value(org_.GetUser("dan@example.com")),
                                             .groups = {{.name = "administrator"}},
                                             .invited_at = kNoon,
                                             .accepted_at = kNoon + hours(1)}));
  EXPECT_THAT(
      Texts(Details("o_quarry").groups),
      ElementsAre("administrator: bob@example.com dan@example.com", "owner: ann@example.com"));
}

TEST_F(OrgMembershipTest, AcceptRequiresAnOpenInvitationAndAUser) {
  EXPECT_THAT(org_.Accept(kDanInPress),
              StatusIs(StatusCode::kResourceNotFound, HasSubstr("there is no organisationMember")));
  EXPECT_THAT(org_.Accept(kAnnInPress), StatusIs(StatusCode::kConditionalCheckFailed,
                                                 "ann@example.com is a member of o_press already"));
  EXPECT_THAT(org_.Accept({"o_quarry", "eve@example.com"}),
              StatusIs(StatusCode::kResourceNotFound,
                       "there is no user with emailAddress \"eve@example.com\""));
  EXPECT_FALSE(std::get<0>(Sides({"o_quarry", "eve@example.com"}))->invitation.accepted_at);
}

TEST_F(OrgMembershipTest, DeclineRemovesBothSides) {
  ASSERT_THAT(org_.Decline(kAnnInMuseum), IsOk());
  EXPECT_EQ(TakeCost(), (Cost{{"TransactWriteItems"}, 0, 6}));
  ExpectNoSides(kAnnInMuseum);
  EXPECT_THAT(Value(org_.GetUserDetails("ann@example.com")).invitations, IsEmpty());
  EXPECT_THAT(org_.Invite(kAnnInMuseum), IsOk()) << "a user may be invited again";
}

TEST_F(OrgMembershipTest, DeclineRequiresAnOpenInvitation) {
  EXPECT_THAT(org_.Decline(kDanInPress),
              StatusIs(StatusCode::kResourceNotFound, HasSubstr("there is no organisationMember")));
  EXPECT_THAT(org_.Decline(kAnnInPress),
              StatusIs(StatusCode::kConditionalCheckFailed,
                       "ann@example.com is a member of o_press already"));
}

TEST_F(OrgMembershipTest, RemoveMemberRemovesBothSides) {
  ASSERT_THAT(org_.RemoveMember(kAnnInPress), IsOk());
  EXPECT_EQ(TakeCost(), (Cost{{"TransactWriteItems"}, 0, 6}));
  ExpectNoSides(kAnnInPress);
  EXPECT_THAT(org_.RemoveMember(kAnnInPress), StatusIs(StatusCode::kResourceNotFound, _));
  EXPECT_THAT(
      org_.RemoveMember(kAnnInMuseum),
      StatusIs(StatusCode::kConditionalCheckFailed, "ann@example.com is not a member of o_museum"))
      << "an invitation is declined";
}

TEST_F(OrgMembershipTest, TheLastOwnerStays) {
  const auto is_last = StatusIs(StatusCode::kConditionalCheckFailed,
                                "cleo@example.com is the last owner of o_press");
  EXPECT_THAT(org_.RemoveMember(kCleoInPress), is_last);
  EXPECT_THAT(org_.RemoveFromGroup(kCleoInPress, kOwner), is_last);
  EXPECT_TRUE(Value(org_.IsInGroup(kCleoInPress, kOwner)));

  ASSERT_THAT(org_.AddToGroup(kAnnInPress, kOwner), IsOk());
  ASSERT_THAT(org_.RemoveFromGroup(kCleoInPress, kOwner), IsOk());
  EXPECT_THAT(Texts(Details("o_press").groups), ElementsAre("owner: ann@example.com"));
  EXPECT_THAT(org_.RemoveMember(kCleoInPress), IsOk());
  EXPECT_THAT(org_.RemoveMember(kAnnInPress), StatusIs(StatusCode::kConditionalCheckFailed, _));
}

TEST_F(OrgMembershipTest, RightsAreCheckedWithOneGetItem) {
  const MembershipId bob = {"o_quarry", "bob@example.com"};
  EXPECT_THAT(Emails({Value(org_.GetMember(bob))}), ElementsAre("bob@example.com"));
  EXPECT_EQ(TakeCost(), (Cost{{"GetItem"}, 0.5, 0}));
  EXPECT_TRUE(Value(org_.IsInGroup(bob, {.name = "administrator"})));
  EXPECT_EQ(TakeCost(), (Cost{{"GetItem"}, 0.5, 0}));
  EXPECT_TRUE(Value(org_.IsInGroup(bob, {"billing", "support"})));
  EXPECT_FALSE(Value(org_.IsInGroup(bob, {"website", "support"})));
  EXPECT_FALSE(Value(org_.IsInGroup(bob, kOwner)));
  EXPECT_FALSE(Value(org_.IsInGroup(kDanInPress, kOwner))) << "not a member";
}

TEST_F(OrgMembershipTest, AnInvitationGivesNoRights) {
  EXPECT_THAT(
      org_.GetMember(kDanInQuarry),
      StatusIs(StatusCode::kResourceNotFound, "dan@example.com is not a member of o_quarry"));
  EXPECT_FALSE(Value(org_.IsInGroup(kDanInQuarry, {.name = "administrator"})));
  ASSERT_THAT(org_.Accept(kDanInQuarry), IsOk());
  EXPECT_TRUE(Value(org_.IsInGroup(kDanInQuarry, {.name = "administrator"})));
}

TEST_F(OrgMembershipTest, GroupsOfTheOrganisationAreEnteredAndLeft) {
  const GroupId administrators = {.name = "administrator"};
  ASSERT_THAT(org_.AddToGroup({"o_quarry", "cleo@example.com"}, administrators), IsOk());
  EXPECT_EQ(TakeCost(), (Cost{{"UpdateItem"}, 0, 1}));
  EXPECT_THAT(
      Texts(Details("o_quarry").groups),
      ElementsAre("administrator: bob@example.com cleo@example.com", "owner: ann@example.com"));
  TakeCost();
  ASSERT_THAT(org_.RemoveFromGroup({"o_quarry", "bob@example.com"}, administrators), IsOk());
  EXPECT_EQ(TakeCost(), (Cost{{"UpdateItem"}, 0, 1}));
  EXPECT_THAT(Texts(Details("o_quarry").groups),
              ElementsAre("administrator: cleo@example.com", "owner: ann@example.com"));
}

TEST_F(OrgMembershipTest, GroupsOfAServiceAreEnteredAndLeft) {
  const GroupId editors = {"website", "editor"};
  ASSERT_THAT(org_.AddToGroup({"o_quarry", "ann@example.com"}, editors), IsOk());
  EXPECT_EQ(TakeCost(), (Cost{{"TransactWriteItems"}, 0, 4}));
  EXPECT_THAT(Texts(Details("o_quarry").services.at(1).groups),
              ElementsAre("editor: ann@example.com cleo@example.com"));
  TakeCost();
  ASSERT_THAT(org_.RemoveFromGroup({"o_quarry", "cleo@example.com"}, editors), IsOk());
  EXPECT_EQ(TakeCost(), (Cost{{"UpdateItem"}, 0, 1}));
  const OrganisationDetails details = Details("o_quarry");
  EXPECT_THAT(Texts(details.services.at(1).groups), ElementsAre("editor: ann@example.com"));
  EXPECT_THAT(Texts(details.services.at(0).groups),
              ElementsAre("support: bob@example.com cleo@example.com"));
}

TEST_F(OrgMembershipTest, AGroupMayBeEnteredAndLeftTwice) {
  const GroupId guides = {.name = "guide"};
  EXPECT_THAT(org_.AddToGroup(kAnnInPress, guides), IsOk());
  EXPECT_THAT(org_.AddToGroup(kAnnInPress, guides), IsOk());
  EXPECT_THAT(Texts(Details("o_press").groups),
              ElementsAre("guide: ann@example.com", "owner: cleo@example.com"));
  EXPECT_THAT(org_.RemoveFromGroup(kAnnInPress, guides), IsOk());
  EXPECT_THAT(org_.RemoveFromGroup(kAnnInPress, guides), IsOk());
  EXPECT_THAT(Texts(Details("o_press").groups), ElementsAre("owner: cleo@example.com"));
  EXPECT_THAT(Emails(Details("o_press").members),
              ElementsAre("ann@example.com", "cleo@example.com"))
      << "a user without groups is still a member";
}

TEST_F(OrgMembershipTest, GroupsRequireAnExistingMemberAndService) {
  EXPECT_THAT(org_.AddToGroup(kDanInPress, {.name = "editor"}),
              StatusIs(StatusCode::kResourceNotFound, HasSubstr("organisationMember")));
  EXPECT_THAT(org_.RemoveFromGroup(kDanInPress, {.name = "editor"}),
              StatusIs(StatusCode::kResourceNotFound, HasSubstr("organisationMember")));
  EXPECT_THAT(
      org_.AddToGroup(kDanInQuarry, {.name = "editor"}),
      StatusIs(StatusCode::kConditionalCheckFailed, "dan@example.com is not a member of o_quarry"));
  EXPECT_THAT(org_.AddToGroup({"o_quarry", "ann@example.com"}, {"archive", "reader"}),
              StatusIs(StatusCode::kResourceNotFound,
                       "there is no organisationService with organisationId \"o_quarry\", "
                       "serviceId \"archive\""));
  EXPECT_THAT(org_.AddToGroup(kAnnInPress, {}),
              StatusIs(StatusCode::kValidation, HasSubstr("a name for each group")));
  EXPECT_THAT(org_.AddToGroup(kAnnInPress, {.name = "billing/support"}),
              StatusIs(StatusCode::kValidation, HasSubstr("\"billing/support\"")))
      << "it would look like a group of a service";
  EXPECT_THAT(org_.RemoveFromGroup(kAnnInPress, {"a/b", "c"}),
              StatusIs(StatusCode::kValidation, HasSubstr("\"a/b\"")));
}

TEST_F(OrgMembershipTest, ContactMemberRenewsTheCopy) {
  const MembershipId bob = {"o_quarry", "bob@example.com"};
  const User bobby = Value(org_.PutUser({"bob@example.com", "Bobby", "Barrow", "+1 5550102"}));
  EXPECT_EQ(Value(org_.GetMember(bob)).user.first_name, "Bob")
      << "changing the user does not change the copies";
  TakeCost();
  EXPECT_EQ(Value(org_.ContactMember(bob)), bobby);
  EXPECT_EQ(TakeCost(), (Cost{{"GetItem", "UpdateItem"}, 0.5, 1}));
  EXPECT_EQ(Value(org_.GetMember(bob)).user, bobby);
}

TEST_F(OrgMembershipTest, ContactMemberRequiresAMember) {
  EXPECT_THAT(org_.ContactMember(kDanInPress), StatusIs(StatusCode::kResourceNotFound, _));
  EXPECT_THAT(
      org_.ContactMember(kDanInQuarry),
      StatusIs(StatusCode::kConditionalCheckFailed, "dan@example.com is not a member of o_quarry"));
  EXPECT_EQ(std::get<1>(Sides(kDanInQuarry))->member.user.first_name, "");
  EXPECT_THAT(org_.ContactMember({"o_quarry", "eve@example.com"}),
              StatusIs(StatusCode::kResourceNotFound, HasSubstr("there is no user")));
}

TEST_F(OrgMembershipTest, TheTwoSidesOfEachMembershipAreEqual) {
  ASSERT_THAT(org_.Accept(kDanInQuarry), IsOk());
  ASSERT_THAT(org_.Decline(kAnnInMuseum), IsOk());
  ASSERT_THAT(org_.RenameOrganisation("o_quarry", "Granite"), IsOk());
  EXPECT_THAT(Value(raw_.VerifyEdges<OrganisationMemberRecord>()).failures, IsEmpty());
}

TEST_F(OrgMembershipTest, AGroupOfAServiceThatDoesNotExistIsNotShown) {
  const Item key = {{"PK", "organisation/o_quarry"}, {"SK", "organisationMember/bob@example.com"}};
  const UpdateBuilder groups = Update().Set("groupNames", StringSet{"owner", "gone/reader"});
  ASSERT_THAT(raw_.table().UpdateItem({.key = key, .update = groups}), IsOk());
  EXPECT_THAT(Texts(Details("o_quarry").groups),
              ElementsAre("owner: ann@example.com bob@example.com"));
}

}  // namespace
}  // namespace dolmen::org
