// Tests of users, organisations and services on the sample data: results, requests and units.

#include <dolmen/clock.h>
#include <gtest/gtest.h>

#include "tests/models/org_fixture.h"

namespace dolmen::org {
namespace {

using std::chrono::hours;
using Strings = std::vector<std::string>;

const MembershipId kBobInQuarry = {"o_quarry", "bob@example.com"};

TEST_F(OrgTest, PutUserIsOneUpdate) {
  User fay = {.email = "fay@example.com", .first_name = "Fay", .last_name = "Flint"};
  const User stored = Value(org_.PutUser(fay));
  EXPECT_EQ(TakeCost(), (Cost{{"UpdateItem"}, 0, 1}));
  fay.created_at = kNoon;
  EXPECT_EQ(stored, fay);
  EXPECT_EQ(Value(org_.GetUser("fay@example.com")), fay);
  EXPECT_EQ(TakeCost(), (Cost{{"GetItem"}, 0.5, 0}));
}

TEST_F(OrgTest, PutUserReplacesAProfileButKeepsCreatedAt) {
  clock_->Advance(hours(1));
  User ann = {.email = "ann@example.com", .first_name = "Anna", .last_name = "Archer"};
  const User stored = Value(org_.PutUser(ann));
  ann.created_at = kNoon;
  EXPECT_EQ(stored, ann) << "the phone is removed";
  const UserDetails details = Value(org_.GetUserDetails("ann@example.com"));
  EXPECT_EQ(details.user, ann);
  EXPECT_THAT(Names(details.organisations),
              ElementsAre("o_press Menhir Press", "o_quarry Quarry Works"));
}

TEST_F(OrgTest, PutUsersWritesBatchesOf25) {
  std::vector<User> users;
  for (int i = 0; i < 30; ++i) users.push_back({.email = std::to_string(i) + "@example.com"});
  ASSERT_THAT(org_.PutUsers(users), IsOk());
  EXPECT_EQ(TakeCost(), (Cost{{"BatchWriteItem", "BatchWriteItem"}, 0, 30}));
  EXPECT_EQ(Value(org_.GetUser("29@example.com")).created_at, kNoon);
}

TEST_F(OrgTest, OneAddressIsOneUserHoweverItIsTyped) {
  EXPECT_EQ(Value(org_.GetUser(" Ann@Example.COM ")).first_name, "Ann");
  ASSERT_THAT(org_.Invite({"o_press", "DAN@example.com"}), IsOk());
  EXPECT_THAT(org_.Invite({"o_press", "dan@example.com"}), StatusIs(StatusCode::kResourceInUse, _));
  ASSERT_THAT(org_.Accept({"o_press", "Dan@Example.com"}), IsOk());
  EXPECT_THAT(Emails(Details("o_press").members),
              ElementsAre("ann@example.com", "cleo@example.com", "dan@example.com"));
}

TEST_F(OrgTest, GetUserDetailsIsOneQuery) {
  const UserDetails details = Value(org_.GetUserDetails("ann@example.com"));
  EXPECT_EQ(TakeCost(), (Cost{{"Query"}, 0.5, 0}));
  EXPECT_EQ(details.user, (User{"ann@example.com", "Ann", "Archer", "+49 30 5550101", kNoon}));
  EXPECT_THAT(Names(details.organisations),
              ElementsAre("o_press Menhir Press", "o_quarry Quarry Works"));
  EXPECT_EQ(details.invitations,
            (std::vector<Invitation>{
                {.organisation = {"o_museum", "Museum of Stones"}, .invited_at = kNoon}}));
}

TEST_F(OrgTest, AnInvitationWaitsForAUserWhoHasNotRegistered) {
  EXPECT_THAT(org_.GetUser("eve@example.com"), StatusIs(StatusCode::kResourceNotFound, _));
  const UserDetails waiting = Value(org_.GetUserDetails("eve@example.com"));
  EXPECT_FALSE(waiting.user);
  ASSERT_EQ(waiting.invitations.size(), 1u);
  EXPECT_EQ(waiting.invitations[0].organisation.name, "Quarry Works");
  EXPECT_THAT(org_.Accept({"o_quarry", "eve@example.com"}),
              StatusIs(StatusCode::kResourceNotFound, HasSubstr("there is no user")));
  Value(org_.PutUser({.email = "eve@example.com", .first_name = "Eve"}));
  ASSERT_THAT(org_.Accept({"o_quarry", "eve@example.com"}), IsOk());
  EXPECT_THAT(Names(Value(org_.GetUserDetails("eve@example.com")).organisations),
              ElementsAre("o_quarry Quarry Works"));
}

TEST_F(OrgTest, CreateOrganisationMakesItsOwnerAMember) {
  const Organisation made =
      Value(org_.CreateOrganisation({.name = "Cairn Tours"}, "dan@example.com"));
  EXPECT_EQ(TakeCost(), (Cost{{"GetItem", "TransactWriteItems"}, 0.5, 6}));
  EXPECT_EQ(Value(org_.GetOrganisation(made.id)), made);
  EXPECT_EQ(TakeCost(), (Cost{{"GetItem"}, 0.5, 0}));
  const OrganisationDetails details = Details(made.id);
  EXPECT_EQ(details.organisation, made);
  EXPECT_THAT(Emails(details.members), ElementsAre("dan@example.com"));
  EXPECT_THAT(Texts(details.groups), ElementsAre("owner: dan@example.com"));
  EXPECT_THAT(Names(Value(org_.GetUserDetails("dan@example.com")).organisations),
              ElementsAre(made.id + " Cairn Tours"));
}

TEST_F(OrgTest, AnIdDoesNotTellTheTime) {
  const std::string id =
      Value(org_.CreateOrganisation({.name = "Cairn Tours"}, "dan@example.com")).id;
  ASSERT_EQ(id.size(), 36u);
  EXPECT_EQ(id[14], '4') << "a UUID of version 4: " << id;
}

TEST_F(OrgTest, CreateOrganisationRequiresAFreeIdAnOwnerAndAName) {
  EXPECT_THAT(org_.CreateOrganisation({"o_press", "Another Press"}, "ann@example.com"),
              StatusIs(StatusCode::kResourceInUse, HasSubstr("organisationId \"o_press\"")));
  EXPECT_THAT(org_.CreateOrganisation({"o_new", "New"}, "eve@example.com"),
              StatusIs(StatusCode::kResourceNotFound, HasSubstr("eve@example.com")));
  EXPECT_THAT(org_.CreateOrganisation({"o_new", ""}, "ann@example.com"),
              StatusIs(StatusCode::kValidation, HasSubstr("organisationName is empty")));
  EXPECT_THAT(org_.CreateOrganisation({"o/new", "New"}, "ann@example.com"),
              StatusIs(StatusCode::kValidation, HasSubstr("organisationId")));
  EXPECT_EQ(Details("o_press").organisation.name, "Menhir Press");
  EXPECT_THAT(org_.GetOrganisationDetails("o_new"),
              StatusIs(StatusCode::kResourceNotFound, "there is no organisation o_new"));
}

TEST_F(OrgTest, GetOrganisationDetailsIsOneQuery) {
  const OrganisationDetails details = Details("o_quarry");
  EXPECT_EQ(TakeCost(), (Cost{{"Query"}, 0.5, 0}));
  EXPECT_EQ(details.organisation, (Organisation{"o_quarry", "Quarry Works"}));
  EXPECT_THAT(Emails(details.members),
              ElementsAre("ann@example.com", "bob@example.com", "cleo@example.com"));
  EXPECT_THAT(Emails(details.invitations), ElementsAre("dan@example.com", "eve@example.com"));
  EXPECT_THAT(Texts(details.groups),
              ElementsAre("administrator: bob@example.com", "owner: ann@example.com"))
      << "a user who has not accepted is not listed";
  ASSERT_EQ(details.services.size(), 2u);
  EXPECT_EQ(details.services[0].name, "Billing");
  EXPECT_THAT(Texts(details.services[0].groups),
              ElementsAre("support: bob@example.com cleo@example.com"));
  EXPECT_EQ(details.services[1].id, "website");
  EXPECT_THAT(Texts(details.services[1].groups), ElementsAre("editor: cleo@example.com"));
}

TEST_F(OrgTest, GroupsHoldTheUsersThemselves) {
  EXPECT_EQ(Details("o_quarry").groups.at(1),
            (Group{"owner", {Value(org_.GetUser("ann@example.com"))}}));
}

TEST_F(OrgTest, AMemberSeesTheOrganisation) {
  EXPECT_EQ(Value(org_.GetOrganisationAs(kBobInQuarry)), Details("o_quarry"));
  EXPECT_EQ(TakeCost().operations, (Strings{"Query", "Query"}));
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

TEST_F(OrgTest, RemoveOrganisationRemovesAllThatBelongsToIt) {
  ASSERT_THAT(org_.RemoveOrganisation("o_quarry"), IsOk());
  EXPECT_THAT(org_.GetOrganisation("o_quarry"), StatusIs(StatusCode::kResourceNotFound, _));
  EXPECT_THAT(Names(Value(org_.GetUserDetails("ann@example.com")).organisations),
              ElementsAre("o_press Menhir Press"));
  EXPECT_THAT(Value(org_.GetUserDetails("eve@example.com")).invitations, IsEmpty());
  std::size_t left = 0;
  ItemRange items = raw_.table().QueryAll({.key_condition = Partition("organisation/o_quarry")});
  for ([[maybe_unused]] const ItemView item : items) ++left;
  EXPECT_EQ(left, 0u);
  EXPECT_THAT(org_.Invite(kBobInQuarry), StatusIs(StatusCode::kResourceNotFound, _));
  EXPECT_THAT(org_.RemoveOrganisation("o_quarry"), IsOk()) << "a call can be repeated";
}

TEST_F(OrgTest, RemoveOrganisationFinishesAnInterruptedCall) {
  ASSERT_THAT(raw_.Remove(OrganisationRecord{.organisation = {.id = "o_press"}}), IsOk());
  ASSERT_THAT(org_.RemoveOrganisation("o_press"), IsOk());
  const auto [of_user, of_organisation] = Sides({"o_press", "ann@example.com"});
  EXPECT_FALSE(of_user || of_organisation);
}

TEST_F(OrgTest, PutServiceCreatesOrRenamesAService) {
  ASSERT_THAT(org_.PutService("o_quarry", {"archive", "Archive"}), IsOk());
  EXPECT_EQ(TakeCost(), (Cost{{"TransactWriteItems"}, 0, 4}));
  ASSERT_THAT(org_.PutService("o_quarry", {"billing", "Accounts"}), IsOk());
  const std::vector<Service> services = Details("o_quarry").services;
  ASSERT_EQ(services.size(), 3u);
  EXPECT_EQ(services[0], (Service{"archive", "Archive", {}}));
  EXPECT_EQ(services[1].name, "Accounts");
  EXPECT_THAT(Texts(services[1].groups), ElementsAre("support: bob@example.com cleo@example.com"));
}

TEST_F(OrgTest, ServicesRequireAnExistingOrganisation) {
  EXPECT_THAT(org_.PutService("o_none", {"billing", "Billing"}),
              StatusIs(StatusCode::kResourceNotFound,
                       "there is no organisation with organisationId \"o_none\""));
  EXPECT_THAT(org_.PutService("o_press", {"a/b", "Billing"}),
              StatusIs(StatusCode::kValidation, HasSubstr("serviceId")));
  EXPECT_THAT(org_.PutService("o_press", {"billing", ""}),
              StatusIs(StatusCode::kValidation, HasSubstr("serviceName is empty")));
  EXPECT_THAT(Details("o_press").services, IsEmpty());
}

TEST_F(OrgTest, RemoveServiceRemovesItsGroupsFromTheMembers) {
  ASSERT_THAT(org_.RemoveService("o_quarry", "billing"), IsOk());
  EXPECT_EQ(TakeCost(), (Cost{{"BatchWriteItem", "Query", "UpdateItem", "UpdateItem"}, 0.5, 3}));
  ASSERT_EQ(Details("o_quarry").services.size(), 1u);
  EXPECT_THAT(Texts(Details("o_quarry").services[0].groups),
              ElementsAre("editor: cleo@example.com"));
  EXPECT_FALSE(Value(org_.IsInGroup(kBobInQuarry, {"billing", "support"})));
  ASSERT_THAT(org_.PutService("o_quarry", {"billing", "New Billing"}), IsOk());
  EXPECT_THAT(Details("o_quarry").services[0].groups, IsEmpty())
      << "a service with the same id begins without groups";
  EXPECT_THAT(org_.RemoveService("o_quarry", "none"), IsOk()) << "a call can be repeated";
}

TEST_F(OrgTest, SampleDataCanBeLoadedAgain) {
  const OrganisationDetails details = Details("o_quarry");
  clock_->Advance(hours(1));
  ASSERT_THAT(LoadSampleData(org_), IsOk());
  EXPECT_EQ(Details("o_quarry"), details);
  ASSERT_THAT(org_.RemoveOrganisation("o_museum"), IsOk());
  ASSERT_THAT(LoadSampleData(org_), IsOk()) << "an interrupted load can be finished";
  EXPECT_EQ(Details("o_museum").organisation.name, "Museum of Stones");
}

// The services of the organisation have more than 1 MB together, which is the size of a page.
TEST_F(OrgTest, GetOrganisationReadsMoreThanOnePage) {
  constexpr std::size_t kServices = 300;
  for (std::size_t i = 0; i < kServices; ++i) {
    ASSERT_THAT(org_.PutService("o_press", {std::to_string(1000 + i), std::string(4'000, 'x')}),
                IsOk());
  }
  ASSERT_THAT(org_.AddToGroup({"o_press", "ann@example.com"}, {"1299", "reader"}), IsOk());
  TakeCost();
  const OrganisationDetails details = Details("o_press");
  EXPECT_EQ(TakeCost().operations, (Strings{"Query", "Query"}));
  ASSERT_EQ(details.services.size(), kServices);
  EXPECT_THAT(Texts(details.services.back().groups), ElementsAre("reader: ann@example.com"));
}

}  // namespace
}  // namespace dolmen::org
