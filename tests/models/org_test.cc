// Tests of the directory's access patterns on its sample data: results, requests and units.

#include <dolmen/clock.h>
#include <gtest/gtest.h>

#include "tests/models/org_fixture.h"

namespace dolmen::org {
namespace {

using std::chrono::hours;

const MembershipId kBobInQuarry = {"o_quarry", "bob@example.com"};

TEST_F(OrgTest, PutUserIsOneUpdate) {
  const User fay = {"fay@example.com", {.first_name = "Fay", .last_name = "Flint"}};
  User stored = fay;
  stored.profile.created_at = kNoon;
  EXPECT_EQ(Value(org_.PutUser(fay)), stored);
  EXPECT_EQ(TakeCost(), (Cost{{"UpdateItem"}, 0, 1}));
  EXPECT_EQ(Value(org_.GetUser("fay@example.com")).user, stored);
}

TEST_F(OrgTest, PutUserReplacesAProfileButKeepsCreatedAt) {
  clock_->Advance(hours(1));
  const User ann = {"ann@example.com", {.first_name = "Anna", .last_name = "Archer"}};
  User stored = ann;
  stored.profile.created_at = kNoon;  // created_at does not change
  EXPECT_EQ(Value(org_.PutUser(ann)), stored) << "the phone is removed";
  const UserDetails details = Value(org_.GetUser("ann@example.com"));
  EXPECT_EQ(details.user, stored);
  EXPECT_THAT(Names(details.organisations),
              ElementsAre("o_press Menhir Press", "o_quarry Quarry Works"));
}

TEST_F(OrgTest, GetUserIsOneQuery) {
  const UserDetails details = Value(org_.GetUser("ann@example.com"));
  EXPECT_EQ(TakeCost(), (Cost{{"Query"}, 0.5, 0}));
  EXPECT_EQ(details.user, (User{"ann@example.com",
                                {.first_name = "Ann",
                                 .last_name = "Archer",
                                 .phone = "+49 30 5550101",
                                 .created_at = kNoon}}));
  EXPECT_EQ(details.organisations,
            (std::vector<UserOrganisation>{{.id = {"o_press", "ann@example.com"},
                                            .organisation_name = "Menhir Press",
                                            .invited_at = kNoon,
                                            .accepted_at = kNoon},
                                           {.id = {"o_quarry", "ann@example.com"},
                                            .organisation_name = "Quarry Works",
                                            .invited_at = kNoon,
                                            .accepted_at = kNoon}}));
  EXPECT_EQ(details.invitations,
            (std::vector<UserOrganisation>{{.id = {"o_museum", "ann@example.com"},
                                            .organisation_name = "Museum of Stones",
                                            .invited_at = kNoon}}));
}

TEST_F(OrgTest, AnInvitedAddressIsNotAUser) {
  EXPECT_THAT(org_.GetUser("eve@example.com"),
              StatusIs(StatusCode::kResourceNotFound, "there is no user eve@example.com"));
  EXPECT_THAT(org_.GetUser("nobody@example.com"), StatusIs(StatusCode::kResourceNotFound, _));
  Value(org_.PutUser({"eve@example.com", {.first_name = "Eve", .last_name = "Esker"}}));
  EXPECT_THAT(Names(Value(org_.GetUser("eve@example.com")).invitations),
              ElementsAre("o_quarry Quarry Works"));
}

TEST_F(OrgTest, CreateOrganisationMakesItsOwnerAMember) {
  const Organisation made =
      Value(org_.CreateOrganisation({.name = "Cairn Tours", .owner_email = "dan@example.com"}));
  EXPECT_EQ(TakeCost(), (Cost{{"GetItem", "TransactWriteItems"}, 0.5, 6}));
  EXPECT_EQ(Value(UlidTime(made.id)), kNoon) << "a new ULID is the id";
  EXPECT_EQ(
      made,
      (Organisation{.id = made.id, .name = "Cairn Tours", .member_count = 1, .created_at = kNoon}));

  const OrganisationDetails details = Value(org_.GetOrganisation(made.id));
  EXPECT_EQ(details.organisation, made);
  EXPECT_THAT(Emails(details.members), ElementsAre("dan@example.com"));
  EXPECT_THAT(Texts(details.groups), ElementsAre("owner: dan@example.com"));
  EXPECT_THAT(Names(Value(org_.GetUser("dan@example.com")).organisations),
              ElementsAre(made.id + " Cairn Tours"));
}

TEST_F(OrgTest, GetOrganisationIsOneQuery) {
  const OrganisationDetails details = Value(org_.GetOrganisation("o_quarry"));
  EXPECT_EQ(TakeCost(), (Cost{{"Query"}, 0.5, 0}));
  EXPECT_EQ(details.organisation,
            (Organisation{
                .id = "o_quarry", .name = "Quarry Works", .member_count = 5, .created_at = kNoon}));
  EXPECT_THAT(Emails(details.members),
              ElementsAre("ann@example.com", "bob@example.com", "cleo@example.com"));
  EXPECT_THAT(Emails(details.invitations), ElementsAre("dan@example.com", "eve@example.com"));
  EXPECT_THAT(Texts(details.groups),
              ElementsAre("administrator: bob@example.com", "owner: ann@example.com"))
      << "a user who has not accepted is not listed";
  ASSERT_EQ(details.services.size(), 2u);
  EXPECT_EQ(details.services[0].id, "billing");
  EXPECT_EQ(details.services[0].name, "Billing");
  EXPECT_THAT(Texts(details.services[0].groups),
              ElementsAre("support: bob@example.com cleo@example.com"));
  EXPECT_EQ(details.services[1].id, "website");
  EXPECT_THAT(Texts(details.services[1].groups), ElementsAre("editor: cleo@example.com"));
}

TEST_F(OrgTest, GroupsHoldTheUsersThemselves) {
  const OrganisationDetails details = Value(org_.GetOrganisation("o_quarry"));
  EXPECT_EQ(details.groups.at(1), (Group{"owner", {Value(org_.GetUser("ann@example.com")).user}}));
}

TEST_F(OrgTest, AMemberSeesTheOrganisation) {
  EXPECT_EQ(Value(org_.GetOrganisationAs(kBobInQuarry)), Value(org_.GetOrganisation("o_quarry")));
  EXPECT_EQ(TakeCost().operations, (std::vector<std::string>{"Query", "Query"}));
}

// GetOrganisationAs gives a user who is not a member the same error as for an organisation that
// does not exist. One Query of the organisation shows if the user is a member.
TEST_F(OrgTest, OtherUsersDoNotSeeTheOrganisation) {
  EXPECT_THAT(
      org_.GetOrganisationAs({"o_museum", "cleo@example.com"}),
      StatusIs(StatusCode::kResourceNotFound,
               "the organisation o_museum does not exist or has no member cleo@example.com"));
  EXPECT_EQ(TakeCost(), (Cost{{"Query"}, 0.5, 0}));
  EXPECT_THAT(org_.GetOrganisationAs({"o_none", "cleo@example.com"}),
              StatusIs(StatusCode::kResourceNotFound,
                       "the organisation o_none does not exist or has no member cleo@example.com"));
  EXPECT_EQ(TakeCost(), (Cost{{"Query"}, 0.5, 0}));
  EXPECT_THAT(org_.GetOrganisationAs(kDanInQuarry), StatusIs(StatusCode::kResourceNotFound, _))
      << "an invitation is not enough";
  ASSERT_THAT(org_.Accept(kDanInQuarry), IsOk());
  EXPECT_THAT(org_.GetOrganisationAs(kDanInQuarry), IsOk());
}

TEST_F(OrgTest, RenameIsOneTransactionWithItsCopies) {
  ASSERT_THAT(org_.RenameOrganisation("o_quarry", "Quarry & Sons"), IsOk());
  EXPECT_EQ(TakeCost(), (Cost{{"GetItem", "Query", "TransactWriteItems"}, 1, 2 * (1 + 5)}));
  EXPECT_EQ(Value(org_.GetOrganisation("o_quarry")).organisation.name, "Quarry & Sons");
  EXPECT_THAT(Names(Value(org_.GetUser("ann@example.com")).organisations),
              ElementsAre("o_press Menhir Press", "o_quarry Quarry & Sons"));
}

TEST_F(OrgTest, GroupsOfTheOrganisationAreEnteredAndLeft) {
  const GroupId administrators = {.organisation_id = "o_quarry", .name = "administrator"};
  ASSERT_THAT(org_.AddToGroup("cleo@example.com", administrators), IsOk());
  EXPECT_EQ(TakeCost(), (Cost{{"UpdateItem"}, 0, 1}));
  EXPECT_THAT(
      Texts(Value(org_.GetOrganisation("o_quarry")).groups),
      ElementsAre("administrator: bob@example.com cleo@example.com", "owner: ann@example.com"));
  TakeCost();
  ASSERT_THAT(org_.RemoveFromGroup("bob@example.com", administrators), IsOk());
  EXPECT_EQ(TakeCost(), (Cost{{"UpdateItem"}, 0, 1}));
  EXPECT_THAT(Texts(Value(org_.GetOrganisation("o_quarry")).groups),
              ElementsAre("administrator: cleo@example.com", "owner: ann@example.com"));
}

TEST_F(OrgTest, GroupsOfAServiceAreEnteredAndLeft) {
  const GroupId editors = {"o_quarry", "website", "editor"};
  ASSERT_THAT(org_.AddToGroup("ann@example.com", editors), IsOk());
  EXPECT_EQ(TakeCost(), (Cost{{"TransactWriteItems"}, 0, 4}));
  EXPECT_THAT(Texts(Value(org_.GetOrganisation("o_quarry")).services.at(1).groups),
              ElementsAre("editor: ann@example.com cleo@example.com"));
  TakeCost();
  ASSERT_THAT(org_.RemoveFromGroup("cleo@example.com", editors), IsOk());
  EXPECT_EQ(TakeCost(), (Cost{{"UpdateItem"}, 0, 1}));
  const OrganisationDetails details = Value(org_.GetOrganisation("o_quarry"));
  EXPECT_THAT(Texts(details.services.at(1).groups), ElementsAre("editor: ann@example.com"));
  EXPECT_THAT(Texts(details.services.at(0).groups),
              ElementsAre("support: bob@example.com cleo@example.com"));
}

TEST_F(OrgTest, AGroupMayBeEnteredAndLeftTwice) {
  const GroupId guides = {.organisation_id = "o_press", .name = "guide"};
  EXPECT_THAT(org_.AddToGroup("ann@example.com", guides), IsOk());
  EXPECT_THAT(org_.AddToGroup("ann@example.com", guides), IsOk());
  EXPECT_THAT(Texts(Value(org_.GetOrganisation("o_press")).groups),
              ElementsAre("guide: ann@example.com", "owner: cleo@example.com"));
  EXPECT_THAT(org_.RemoveFromGroup("ann@example.com", guides), IsOk());
  EXPECT_THAT(org_.RemoveFromGroup("ann@example.com", guides), IsOk());
  const OrganisationDetails details = Value(org_.GetOrganisation("o_press"));
  EXPECT_THAT(Texts(details.groups), ElementsAre("owner: cleo@example.com"));
  EXPECT_THAT(Emails(details.members), ElementsAre("ann@example.com", "cleo@example.com"))
      << "a user without groups is still a member";
}

TEST_F(OrgTest, PutServiceCreatesOrRenamesAService) {
  ASSERT_THAT(org_.PutService({"o_quarry", "archive", "Archive"}), IsOk());
  EXPECT_EQ(TakeCost(), (Cost{{"TransactWriteItems"}, 0, 4}));
  ASSERT_THAT(org_.PutService({"o_quarry", "billing", "Accounts"}), IsOk());
  const std::vector<Service> services = Value(org_.GetOrganisation("o_quarry")).services;
  ASSERT_EQ(services.size(), 3u);
  EXPECT_EQ(services[0], (Service{"archive", "Archive", {}}));
  EXPECT_EQ(services[1].name, "Accounts");
  EXPECT_THAT(Texts(services[1].groups), ElementsAre("support: bob@example.com cleo@example.com"));
}

TEST_F(OrgTest, ContactMemberRenewsTheCopy) {
  const User bobby = Value(org_.PutUser(
      {"bob@example.com", {.first_name = "Bobby", .last_name = "Barrow", .phone = "+1 5550102"}}));
  const auto copy = [&] { return Value(org_.GetOrganisation("o_quarry")).groups.at(0).users[0]; };
  EXPECT_EQ(copy().profile.first_name, "Bob") << "changing the user does not change the copies";
  TakeCost();
  EXPECT_EQ(Value(org_.ContactMember(kBobInQuarry)), bobby);
  EXPECT_EQ(TakeCost(), (Cost{{"GetItem", "UpdateItem"}, 0.5, 1}));
  EXPECT_EQ(copy(), bobby);
}

TEST_F(OrgTest, SampleDataCanBeLoadedAgain) {
  const OrganisationDetails details = Value(org_.GetOrganisation("o_quarry"));
  clock_->Advance(hours(1));
  ASSERT_THAT(LoadSampleData(org_), IsOk());
  EXPECT_EQ(Value(org_.GetOrganisation("o_quarry")), details);
}

// The services of the organisation have more than 1 MB together, which is the size of a page.
TEST_F(OrgTest, GetOrganisationReadsMoreThanOnePage) {
  constexpr std::size_t kServices = 300;
  for (std::size_t i = 0; i < kServices; ++i) {
    ASSERT_THAT(org_.PutService({"o_press", std::to_string(1000 + i), std::string(4'000, 'x')}),
                IsOk());
  }
  ASSERT_THAT(org_.AddToGroup("ann@example.com", {"o_press", "1299", "reader"}), IsOk());
  TakeCost();
  const OrganisationDetails details = Value(org_.GetOrganisation("o_press"));
  EXPECT_EQ(TakeCost().operations, (std::vector<std::string>{"Query", "Query"}));
  ASSERT_EQ(details.services.size(), kServices);
  EXPECT_THAT(Texts(details.services.back().groups), ElementsAre("reader: ann@example.com"));
}

}  // namespace
}  // namespace dolmen::org
