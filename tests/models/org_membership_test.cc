// Tests of creating organisations and inviting users, of their errors, and of malformed items.

#include <dolmen/update_builder.h>
#include <gtest/gtest.h>

#include "tests/models/org_fixture.h"
#include "tests/support/temp_directory.h"

namespace dolmen::org {
namespace {

using std::chrono::hours;

const MembershipId kAnnInMuseum = {"o_museum", "ann@example.com"};  // an open invitation
const MembershipId kAnnInPress = {"o_press", "ann@example.com"};    // a member
const MembershipId kDanInPress = {"o_press", "dan@example.com"};    // neither invited nor a member

class OrgMembershipTest : public OrgTest {
 protected:
  std::uint32_t MemberCount(const std::string& id) {
    return Value(org_.GetOrganisation(id)).organisation.member_count;
  }

  // Overwrites an attribute, as a program without this model can do.
  void Overwrite(const std::string& sort, const std::string& attribute, AttributeValue value) {
    Item key = {{"PK", "organisation/o_quarry"}, {"SK", sort}};
    ASSERT_THAT(raw_.table().UpdateItem(
                    {.key = std::move(key), .update = Update().Set(attribute, std::move(value))}),
                IsOk());
  }
};

TEST_F(OrgMembershipTest, InviteWritesBothSides) {
  clock_->Advance(hours(1));
  ASSERT_THAT(org_.Invite({.id = kDanInPress, .group_names = {"editor", "reader"}}), IsOk());
  EXPECT_EQ(TakeCost(), (Cost{{"GetItem", "TransactWriteItems"}, 0.5, 6}));
  const auto [of_user, of_organisation] = Sides(kDanInPress);
  EXPECT_EQ(of_user, (UserOrganisation{.id = kDanInPress,
                                       .organisation_name = "Menhir Press",
                                       .invited_at = kNoon + hours(1)}));
  EXPECT_EQ(of_organisation, (OrganisationMember{.id = kDanInPress,
                                                 .group_names = {"editor", "reader"},
                                                 .invited_at = kNoon + hours(1)}));
  EXPECT_EQ(MemberCount("o_press"), 3u);
}

TEST_F(OrgMembershipTest, InviteRejectsMembersAndMalformedRequests) {
  EXPECT_THAT(org_.Invite({.id = kDanInQuarry}),
              StatusIs(StatusCode::kResourceInUse,
                       "dan@example.com is already invited to o_quarry, or is a member of it"));
  EXPECT_THAT(org_.Invite({.id = kAnnInPress}), StatusIs(StatusCode::kResourceInUse, _));
  EXPECT_THAT(org_.Invite({.id = {"o_none", "dan@example.com"}}),
              StatusIs(StatusCode::kResourceNotFound,
                       "there is no organisation with organisationId \"o_none\""));
  EXPECT_THAT(org_.Invite({.id = kDanInPress, .group_names = {"web/editor"}}),
              StatusIs(StatusCode::kValidation, HasSubstr("\"web/editor\"")));
  EXPECT_THAT(org_.Invite({.id = kDanInPress, .group_names = {""}}),
              StatusIs(StatusCode::kValidation, "a group needs a name"));
  EXPECT_THAT(org_.Invite({.id = {"o_press", ""}}),
              StatusIs(StatusCode::kValidation, HasSubstr("emailAddress")));
  EXPECT_EQ(MemberCount("o_press"), 2u);
  EXPECT_EQ(MemberCount("o_quarry"), 5u);
}

TEST_F(OrgMembershipTest, AcceptChangesBothSides) {
  clock_->Advance(hours(1));
  ASSERT_THAT(org_.Accept(kDanInQuarry), IsOk());
  EXPECT_EQ(TakeCost(), (Cost{{"GetItem", "TransactWriteItems"}, 0.5, 4}));
  const auto [of_user, of_organisation] = Sides(kDanInQuarry);
  EXPECT_EQ(of_user, (UserOrganisation{.id = kDanInQuarry,
                                       .organisation_name = "Quarry Works",
                                       .invited_at = kNoon,
                                       .accepted_at = kNoon + hours(1)}));
  EXPECT_EQ(of_organisation,
            (OrganisationMember{.id = kDanInQuarry,
                                .group_names = {"administrator"},
                                .invited_at = kNoon,
                                .accepted_at = kNoon + hours(1),
                                .profile = Value(org_.GetUser("dan@example.com")).user.profile}));
  EXPECT_THAT(
      Texts(Value(org_.GetOrganisation("o_quarry")).groups),
      ElementsAre("administrator: bob@example.com dan@example.com", "owner: ann@example.com"));
  EXPECT_EQ(MemberCount("o_quarry"), 5u) << "the invitation was counted already";
}

TEST_F(OrgMembershipTest, AcceptRequiresAnOpenInvitationAndAUser) {
  EXPECT_THAT(org_.Accept(kDanInPress),
              StatusIs(StatusCode::kResourceNotFound, "dan@example.com is not invited to o_press"));
  EXPECT_THAT(org_.Accept(kAnnInPress), StatusIs(StatusCode::kResourceInUse,
                                                 "ann@example.com is a member of o_press already"));
  EXPECT_THAT(org_.Accept({"o_quarry", "eve@example.com"}),
              StatusIs(StatusCode::kResourceNotFound,
                       "there is no user with emailAddress \"eve@example.com\""));
  const auto [of_user, of_organisation] = Sides({"o_quarry", "eve@example.com"});
  EXPECT_FALSE(of_user->accepted_at);
  EXPECT_FALSE(of_organisation->accepted_at);
}

TEST_F(OrgMembershipTest, DeclineRemovesBothSides) {
  ASSERT_THAT(org_.Decline(kAnnInMuseum), IsOk());
  EXPECT_EQ(TakeCost(), (Cost{{"TransactWriteItems"}, 0, 6}));
  const auto [of_user, of_organisation] = Sides(kAnnInMuseum);
  EXPECT_FALSE(of_user);
  EXPECT_FALSE(of_organisation);
  EXPECT_EQ(MemberCount("o_museum"), 1u);
  EXPECT_THAT(Value(org_.GetUser("ann@example.com")).invitations, IsEmpty());
  EXPECT_THAT(org_.Invite({.id = kAnnInMuseum}), IsOk()) << "a user may be invited again";
}

TEST_F(OrgMembershipTest, DeclineRequiresAnOpenInvitation) {
  EXPECT_THAT(org_.Decline(kDanInPress),
              StatusIs(StatusCode::kResourceNotFound, "dan@example.com is not invited to o_press"));
  EXPECT_THAT(
      org_.Decline(kAnnInPress),
      StatusIs(StatusCode::kResourceInUse, "ann@example.com is a member of o_press already"));
  EXPECT_EQ(MemberCount("o_press"), 2u);
}

TEST_F(OrgMembershipTest, CreateOrganisationRequiresAFreeIdAnOwnerAndAName) {
  EXPECT_THAT(org_.CreateOrganisation({"o_press", "Another Press", "ann@example.com"}),
              StatusIs(StatusCode::kResourceInUse, HasSubstr("organisationId \"o_press\"")));
  EXPECT_THAT(org_.CreateOrganisation({"o_new", "New", "eve@example.com"}),
              StatusIs(StatusCode::kResourceNotFound, HasSubstr("eve@example.com")));
  EXPECT_THAT(org_.CreateOrganisation({"o_new", "", "ann@example.com"}),
              StatusIs(StatusCode::kValidation, "an organisation needs a name"));
  EXPECT_THAT(org_.CreateOrganisation({"o/new", "New", "ann@example.com"}),
              StatusIs(StatusCode::kValidation, HasSubstr("organisationId")));
  EXPECT_EQ(Value(org_.GetOrganisation("o_press")).organisation.name, "Menhir Press");
  EXPECT_THAT(org_.GetOrganisation("o_new"),
              StatusIs(StatusCode::kResourceNotFound, "there is no organisation o_new"));
}

TEST_F(OrgMembershipTest, GroupsRequireAnExistingMemberAndService) {
  EXPECT_THAT(org_.AddToGroup("dan@example.com", {.organisation_id = "o_press", .name = "editor"}),
              StatusIs(StatusCode::kResourceNotFound, HasSubstr("organisationMember")));
  EXPECT_THAT(org_.RemoveFromGroup("dan@example.com", {"o_press", "", "editor"}),
              StatusIs(StatusCode::kResourceNotFound, HasSubstr("organisationMember")));
  EXPECT_THAT(org_.AddToGroup("ann@example.com", {"o_quarry", "archive", "reader"}),
              StatusIs(StatusCode::kResourceNotFound,
                       "there is no organisationService with organisationId \"o_quarry\", "
                       "serviceId \"archive\""));
  EXPECT_THAT(org_.AddToGroup("ann@example.com", {"o_quarry", "", ""}),
              StatusIs(StatusCode::kValidation, "a group needs a name"));
  EXPECT_THAT(org_.AddToGroup("ann@example.com", {"o_quarry", "", "billing/support"}),
              StatusIs(StatusCode::kValidation, HasSubstr("\"billing/support\"")))
      << "it would look like a group of a service";
  EXPECT_THAT(org_.RemoveFromGroup("ann@example.com", {"o_quarry", "a/b", "c"}),
              StatusIs(StatusCode::kValidation, HasSubstr("\"a/b\"")));
}

TEST_F(OrgMembershipTest, ServicesRequireAnExistingOrganisation) {
  EXPECT_THAT(org_.PutService({"o_none", "billing", "Billing"}),
              StatusIs(StatusCode::kResourceNotFound,
                       "there is no organisation with organisationId \"o_none\""));
  EXPECT_THAT(org_.PutService({"o_press", "a/b", "Billing"}),
              StatusIs(StatusCode::kValidation, HasSubstr("serviceId")));
  EXPECT_THAT(org_.PutService({"o_press", "billing", ""}),
              StatusIs(StatusCode::kValidation, "a service needs a name"));
  EXPECT_THAT(Value(org_.GetOrganisation("o_press")).services, IsEmpty());
}

TEST_F(OrgMembershipTest, ContactMemberRequiresAMember) {
  EXPECT_THAT(org_.ContactMember(kDanInPress), StatusIs(StatusCode::kResourceNotFound, _));
  EXPECT_THAT(org_.ContactMember(kDanInQuarry), StatusIs(StatusCode::kResourceNotFound, _))
      << "an invited user is not a member";
  EXPECT_FALSE(std::get<1>(Sides(kDanInQuarry))->profile);
  EXPECT_THAT(org_.ContactMember({"o_quarry", "eve@example.com"}),
              StatusIs(StatusCode::kResourceNotFound, HasSubstr("there is no user")));
}

TEST_F(OrgMembershipTest, AnAddressMayHoldASlash) {
  const std::string fay = "house/fay@example.com";
  Value(org_.PutUser({fay, {.first_name = "Fay", .last_name = "Flint"}}));
  ASSERT_THAT(org_.Invite({.id = {"o_press", fay}}), IsOk());
  ASSERT_THAT(org_.Accept({"o_press", fay}), IsOk());
  EXPECT_THAT(Names(Value(org_.GetUser(fay)).organisations), ElementsAre("o_press Menhir Press"));
  EXPECT_EQ(Value(org_.GetOrganisationAs({"o_press", fay})).members.back().id.email, fay);
}

TEST_F(OrgMembershipTest, EmptyAddressesAreRejected) {
  EXPECT_THAT(org_.PutUser({"", {.first_name = "Nobody"}}),
              StatusIs(StatusCode::kValidation, HasSubstr("emailAddress")));
  EXPECT_THAT(org_.GetUser(""), StatusIs(StatusCode::kValidation, HasSubstr("emailAddress")));
  EXPECT_THAT(org_.GetOrganisation(""),
              StatusIs(StatusCode::kValidation, HasSubstr("organisationId")));
}

TEST_F(OrgMembershipTest, AMalformedItemIsCorruption) {
  Overwrite("organisationMember/bob@example.com", "groupNames", "owner");
  EXPECT_THAT(org_.GetOrganisation("o_quarry"),
              StatusIs(StatusCode::kCorruption,
                       AllOf(HasSubstr("organisationMember"), HasSubstr("groupNames"))));
  Overwrite("organisationMember/bob@example.com", "groupNames", StringSet{"archive/reader"});
  EXPECT_THAT(org_.GetOrganisation("o_quarry"),
              StatusIs(StatusCode::kCorruption, HasSubstr("archive")));
  Overwrite("organisationMember/bob@example.com", "groupNames", StringSet{"owner"});
  EXPECT_THAT(org_.GetOrganisation("o_quarry"), IsOk());
  Overwrite("organisationInvoice/2026", "entityType", "invoice");
  EXPECT_THAT(org_.GetOrganisation("o_quarry"), IsOk()) << "other items are skipped";
}

TEST_F(OrgMembershipTest, TheDirectoryIsUnchangedAfterReopening) {
  const test::TempDirectory temp;
  OrganisationDetails details;
  {
    const Org org = Value(Org::Open(Value(Database::Open(temp / "org.dolmen"))));
    ASSERT_THAT(LoadSampleData(org), IsOk());
    details = Value(org.GetOrganisation("o_quarry"));
  }
  const Org org = Value(Org::Open(Value(Database::Open(temp / "org.dolmen"))));
  EXPECT_EQ(Value(org.GetOrganisation("o_quarry")), details);
}

}  // namespace
}  // namespace dolmen::org
