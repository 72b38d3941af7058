// Tests of addresses: normal form, unique owner, and the primary address.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>
#include <memory>
#include <string>
#include <utility>

#include "tests/models/user_fixture.h"

namespace dolmen::user {
namespace {

class UserEmailsTest : public UserTest {
 protected:
  // Adds an address and verifies it.
  Email AddVerified(const std::string& user_id, const std::string& address) {
    return Value(
        users().VerifyEmail(Value(users().AddEmail({.user_id = user_id, .email = address}))));
  }
};

TEST(NormalizeEmailTest, TrimsAndMakesAsciiLettersSmall) {
  EXPECT_EQ(NormalizeEmail(" \tAnn@Example.ORG\r\n"), "ann@example.org");
  EXPECT_EQ(NormalizeEmail("\xC3\x84nn@x.org"), "\xC3\x84nn@x.org")
      << "letters outside ASCII are not changed";
  EXPECT_EQ(NormalizeEmail("a#b/c@x.org"), "a#b/c@x.org");
  EXPECT_EQ(NormalizeEmail("\"a@b\"@x.org"), "\"a@b\"@x.org");
}

TEST(NormalizeEmailTest, KeepsDotsAndPlusSuffixes) {
  EXPECT_EQ(NormalizeEmail("A.N.N+News@gmail.com"), "a.n.n+news@gmail.com");
}

TEST(NormalizeEmailTest, StripsDotsAndSuffixesIfAsked) {
  EXPECT_EQ(NormalizeEmail("A.N.N+News@x.org", {.strip_plus_suffix = true}), "a.n.n@x.org");
  EXPECT_EQ(NormalizeEmail("a.n.n+news@x.org", {.strip_dots = true}), "ann+news@x.org");
  const EmailRules gmail = {
      .strip_plus_suffix = true, .strip_dots = true, .only_domains = {"gmail.com"}};
  EXPECT_EQ(NormalizeEmail("A.N.N+News@GMAIL.com", gmail), "ann@gmail.com");
  EXPECT_EQ(NormalizeEmail("a.n.n+news@x.org", gmail), "a.n.n+news@x.org");
}

TEST(NormalizeEmailTest, MalformedAddressesHaveNoNormalForm) {
  for (const std::string& address :
       {std::string(), std::string("  "), std::string("ann"), std::string("@x.org"),
        std::string("ann@"), std::string("a nn@x.org"), std::string("a\0b@x.org", 9),
        std::string(250, 'a') + "@x.org"}) {
    EXPECT_FALSE(IsEmailAddress(NormalizeEmail(address))) << address;
  }
  EXPECT_TRUE(IsEmailAddress(NormalizeEmail("+news@x.org")));
  EXPECT_FALSE(IsEmailAddress(NormalizeEmail("+news@x.org", {.strip_plus_suffix = true})))
      << "stripping leaves nothing of the first part";
}

TEST_F(UserEmailsTest, AnOrganisationHasItsOwnRules) {
  ASSERT_THAT(store_.KeepEmailRules({.organisation = "acme", .strip_plus_suffix = true}), IsOk());
  const Users acme = Value(store_.UsersOf("acme"));
  EXPECT_THAT(acme.AddEmail({.user_id = "user123", .email = "Ann+2@example.org"}),
              StatusIs(StatusCode::kResourceInUse, "email ann@example.org is taken"));
  EXPECT_EQ(Value(acme.FindByPrimaryEmail("ann+anything@example.org"))->user_id, "abc-123");
  EXPECT_EQ(Value(users().FindByPrimaryEmail("ann+anything@example.org")), std::nullopt)
      << "without an organisation, suffixes stay";
}

TEST_F(UserEmailsTest, TheRulesOfAnOrganisationNeverChange) {
  EXPECT_THAT(store_.UsersOf("acme"), StatusIs(StatusCode::kResourceNotFound, HasSubstr("acme")))
      << "rules come before the first user";
  const EmailRules rules = {
      .organisation = "acme", .strip_dots = true, .only_domains = {"x.org", "y.org"}};
  ASSERT_THAT(store_.KeepEmailRules(rules), IsOk());
  EXPECT_THAT(store_.KeepEmailRules({.organisation = "acme"}),
              StatusIs(StatusCode::kResourceInUse, HasSubstr("acme")));
  EXPECT_EQ(Value(store_.UsersOf("acme")).rules, rules);
}

// The published pattern queries the index for the address. Then the pattern puts the e-mail record
// on condition that the record's key is not in use. In this test two users query before either of
// them puts. The two records have different keys, so both conditions hold.
TEST_F(UserEmailsTest, QueryThenPutLetsTwoUsersHaveOneAddress) {
  const EntityTable table = Entities();
  const std::string address = "team@example.org";
  const auto ask = [&] {
    return Value(table.Query<Email>("GSI1").With<&Email::email>(address).First()).has_value();
  };
  const auto put = [&](const std::string& user_id) {
    const Email email = {.user_id = user_id, .email_id = "email-099", .email = address};
    return table.table().PutItem(
        {.item = Value(ToItem(email)), .condition = AttributeNotExists("PK")});
  };
  ASSERT_FALSE(ask());
  ASSERT_FALSE(ask());
  EXPECT_THAT(put("abc-123"), IsOk());
  EXPECT_THAT(put("user123"), IsOk());
  EXPECT_EQ(Value(table.Query<Email>("GSI1").With<&Email::email>(address).All()).size(), 2U)
      << "one address, two owners";
}

TEST_F(UserEmailsTest, TheClaimLetsOnlyOneUserHaveAnAddress) {
  const std::string address = "team@example.org";
  ASSERT_THAT(users().IsTaken(address), IsOkAndHolds(false));
  ASSERT_THAT(users().IsTaken(address), IsOkAndHolds(false));
  const Email added = Value(users().AddEmail({.user_id = "abc-123", .email = address}));
  EXPECT_THAT(users().AddEmail({.user_id = "user123", .email = address}),
              StatusIs(StatusCode::kResourceInUse, "email team@example.org is taken"));
  EXPECT_EQ(Value(users().FindEmailRecord(address)), added);
  EXPECT_EQ(Stored("UNIQUE#emailClaim#" + address, "UNIQUE").at("ownerPK"), "USER#abc-123");
  EXPECT_EQ(Value(users().ListEmails("user123")).size(), 1U)
      << "the failed AddEmail wrote no record";
}

TEST_F(UserEmailsTest, AnAddedAddressIsNeitherVerifiedNorPrimary) {
  const Email added = Value(users().AddEmail({.user_id = "user123", .email = "Sam@Home.example"}));
  EXPECT_EQ(TakeAsked(), (Asked{.operations = {"TransactWriteItems"}, .write_units = 8}));
  EXPECT_EQ(added, (Email{.user_id = "user123",
                          .email_id = added.email_id,
                          .email = "sam@home.example",
                          .created_at = clock_->Now()}));
  EXPECT_EQ(Value(users().FindEmailRecord("sam@home.example")), added);
}

TEST_F(UserEmailsTest, AddingAnAddressRequiresAUser) {
  EXPECT_THAT(users().AddEmail({.user_id = "nobody", .email = "x@example.org"}),
              StatusIs(StatusCode::kResourceNotFound, HasSubstr("nobody")));
  ASSERT_THAT(users().SetStatus(Value(users().GetProfile("user123")), UserStatus::kSuspended),
              IsOk());
  EXPECT_THAT(users().AddEmail({.user_id = "user123", .email = "x@example.org"}),
              StatusIs(StatusCode::kConditionalCheckFailed, "the user user123 is not active"));
  EXPECT_THAT(users().AddEmail({.user_id = "abc-123", .email = "x.example.org"}),
              StatusIs(StatusCode::kValidation, _));
  EXPECT_THAT(
      users().AddEmail({.user_id = "abc-123", .email_id = "email-001", .email = "x@example.org"}),
      StatusIs(StatusCode::kResourceInUse, HasSubstr("email-001")));
  EXPECT_THAT(users().IsTaken("x@example.org"), IsOkAndHolds(false));
  EXPECT_EQ(Stored("UNIQUE#emailClaim#x@example.org", "UNIQUE"), Item());
}

TEST_F(UserEmailsTest, VerifyingKeepsTheFirstTime) {
  const Email added = Value(users().AddEmail({.user_id = "user123", .email = "sam@home.example"}));
  const Email id = {.user_id = "user123", .email_id = added.email_id};
  TakeAsked();
  Email expected = added;
  expected.is_verified = true;
  expected.verified_at = clock_->Now();
  EXPECT_EQ(Value(users().VerifyEmail(id)), expected);
  EXPECT_EQ(TakeAsked(), (Asked{.operations = {"UpdateItem"}, .write_units = 2}));
  clock_->Advance(std::chrono::hours(1));
  EXPECT_EQ(Value(users().VerifyEmail(id)), expected);
  EXPECT_EQ(Value(users().FindEmailRecord("sam@home.example")), expected) << "GSI1 is updated";
  EXPECT_THAT(users().VerifyEmail({.user_id = "user123", .email_id = "none"}),
              StatusIs(StatusCode::kResourceNotFound, HasSubstr("none")));
}

TEST_F(UserEmailsTest, MakePrimaryMovesTheMarkAndTheProfilesCopyTogether) {
  clock_->Advance(std::chrono::hours(1));
  ASSERT_THAT(users().MakePrimary({.user_id = "abc-123", .email_id = "email-002"}), IsOk());
  EXPECT_EQ(
      TakeAsked(),
      (Asked{.operations = {"Query", "TransactWriteItems"}, .read_units = 0.5, .write_units = 14}));
  const Account account = Value(users().GetAccount("abc-123"));
  ASSERT_EQ(account.emails.size(), 2U);
  EXPECT_FALSE(account.emails[0].is_primary);
  EXPECT_TRUE(account.emails[1].is_primary);
  EXPECT_EQ(account.profile.email, "ann.okafor@work.example");
  EXPECT_EQ(account.profile.version, 2);
  EXPECT_EQ(account.profile.updated_at, clock_->Now());
  EXPECT_FALSE(Value(users().FindEmailRecord("ann@example.org"))->is_primary) << "GSI1 is updated";

  TakeAsked();
  ASSERT_THAT(users().MakePrimary({.user_id = "abc-123", .email_id = "email-002"}), IsOk());
  EXPECT_EQ(TakeAsked(), (Asked{.operations = {"Query"}, .read_units = 0.5}))
      << "the address is primary already, so nothing is written";
}

TEST_F(UserEmailsTest, OnlyAVerifiedAddressBecomesPrimary) {
  const Email added = Value(users().AddEmail({.user_id = "abc-123", .email = "ann@home.example"}));
  const Account before = Value(users().GetAccount("abc-123"));
  EXPECT_THAT(users().MakePrimary({.user_id = "abc-123", .email_id = added.email_id}),
              StatusIs(StatusCode::kConditionalCheckFailed, "ann@home.example is not verified"));
  const Account after = Value(users().GetAccount("abc-123"));
  EXPECT_EQ(after.profile, before.profile);
  EXPECT_EQ(after.emails, before.emails);
  EXPECT_THAT(users().MakePrimary({.user_id = "abc-123", .email_id = "none"}),
              StatusIs(StatusCode::kResourceNotFound, HasSubstr("none")));
  EXPECT_THAT(users().MakePrimary({.user_id = "nobody", .email_id = "email-001"}),
              StatusIs(StatusCode::kResourceNotFound, HasSubstr("nobody")));
}

// A fixture that lets other writers write between an operation's read and its write, so the
// operation starts again.
class InterruptedTest : public UserEmailsTest {
 protected:
  // Returns a store that calls `others` after the store's first request of the kind `operation`.
  UserStore InterruptedAfter(std::string operation, std::function<void()> others) {
    const auto is_first = std::make_shared<bool>(false);
    UserStore store =
        Value(UserStore::Open(database_, [operation, others, is_first](const RequestTrace& trace) {
          if (trace.operation == operation && std::exchange(*is_first, false)) others();
        }));
    *is_first = true;
    return store;
  }

  // Removes email-002 and adds a different address with the id email-002.
  void ReuseEmail002() {
    const Email id = {.user_id = "abc-123", .email_id = "email-002"};
    ASSERT_THAT(users().RemoveEmail(id), IsOk());
    ASSERT_THAT(users().AddEmail({"abc-123", "email-002", "new@example.org"}), IsOk());
    ASSERT_THAT(users().VerifyEmail(id), IsOk());
  }
};

TEST_F(InterruptedTest, MakePrimaryRefusesARecordWhoseAddressHasChanged) {
  const UserStore interrupted = InterruptedAfter("Query", [this] { ReuseEmail002(); });
  EXPECT_THAT(interrupted.users.MakePrimary({.user_id = "abc-123", .email_id = "email-002"}),
              StatusIs(StatusCode::kConditionalCheckFailed, "the address has changed"));
  const Account account = Value(users().GetAccount("abc-123"));
  EXPECT_EQ(account.profile.email, "ann@example.org");
  EXPECT_EQ(account.primary()->email, "ann@example.org");
}

TEST_F(InterruptedTest, RemoveEmailKeepsTheClaimOfANewOwner) {
  const UserStore interrupted = InterruptedAfter("GetItem", [this] {
    ReuseEmail002();
    ASSERT_THAT(users().AddEmail({"user123", "email-002", "ann.okafor@work.example"}), IsOk());
  });
  ASSERT_THAT(interrupted.users.RemoveEmail({.user_id = "abc-123", .email_id = "email-002"}),
              IsOk());
  EXPECT_THAT(users().IsTaken("new@example.org"), IsOkAndHolds(false));
  EXPECT_EQ(Value(users().FindEmailRecord("ann.okafor@work.example"))->user_id, "user123");
  EXPECT_THAT(users().AddEmail({.user_id = "abc-123", .email = "ann.okafor@work.example"}),
              StatusIs(StatusCode::kResourceInUse, _));
}

TEST_F(InterruptedTest, MakePrimaryStartsAgainAfterAConcurrentMakePrimary) {
  const UserStore interrupted = InterruptedAfter("Query", [this] {
    EXPECT_THAT(users().MakePrimary(AddVerified("abc-123", "other@example.org")), IsOk());
  });
  ASSERT_THAT(interrupted.users.MakePrimary({.user_id = "abc-123", .email_id = "email-002"}),
              IsOk());
  const Account account = Value(users().GetAccount("abc-123"));
  ASSERT_EQ(account.emails.size(), 3U);
  std::vector<std::string> primary;
  for (const Email& email : account.emails) {
    if (email.is_primary) primary.push_back(email.email_id);
  }
  EXPECT_EQ(primary, std::vector<std::string>{"email-002"}) << "only one address is primary";
  EXPECT_EQ(account.profile.email, "ann.okafor@work.example");
  EXPECT_EQ(account.profile.version, 3) << "both moves were applied";
}

TEST_F(UserEmailsTest, RemovingAnAddressFreesIt) {
  ASSERT_THAT(users().RemoveEmail({.user_id = "abc-123", .email_id = "email-002"}), IsOk());
  EXPECT_EQ(TakeAsked(), (Asked{.operations = {"GetItem", "TransactWriteItems"},
                                .read_units = 0.5,
                                .write_units = 6}));
  EXPECT_EQ(Value(users().ListEmails("abc-123")).size(), 1U);
  EXPECT_THAT(users().IsTaken("ann.okafor@work.example"), IsOkAndHolds(false));
  EXPECT_THAT(users().AddEmail({.user_id = "user123", .email = "ann.okafor@work.example"}), IsOk());
  EXPECT_THAT(users().RemoveEmail({.user_id = "abc-123", .email_id = "email-002"}),
              StatusIs(StatusCode::kResourceNotFound, HasSubstr("email-002")));
}

TEST_F(UserEmailsTest, RemovingThePrimaryAddressIsRejected) {
  EXPECT_THAT(
      users().RemoveEmail({.user_id = "abc-123", .email_id = "email-001"}),
      StatusIs(StatusCode::kConditionalCheckFailed, "email-001 is the primary address of abc-123"));
  EXPECT_THAT(users().IsTaken("ann@example.org"), IsOkAndHolds(true));
  EXPECT_NE(Stored("UNIQUE#emailClaim#ann@example.org", "UNIQUE"), Item());
}

}  // namespace
}  // namespace dolmen::user
