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
  using UserTest::UserTest;

  // Adds an address and verifies it.
  EmailId AddVerified(const std::string& user_id, const std::string& address) {
    const Email added = Value(users().AddEmail({.user_id = user_id, .email = address}));
    const EmailId id = {.user_id = user_id, .email_id = added.email_id};
    Value(users().VerifyEmail(id));
    return id;
  }
};

TEST(NormalizeEmailTest, TrimsAndMakesAsciiLettersSmall) {
  EXPECT_THAT(NormalizeEmail(" \tAnn@Example.ORG\r\n"), IsOkAndHolds("ann@example.org"));
  EXPECT_THAT(NormalizeEmail("\xC3\x84nn@x.org"), IsOkAndHolds("\xC3\x84nn@x.org"))
      << "letters outside ASCII are not changed";
  EXPECT_THAT(NormalizeEmail("a#b/c@x.org"), IsOkAndHolds("a#b/c@x.org"));
  EXPECT_THAT(NormalizeEmail("\"a@b\"@x.org"), IsOkAndHolds("\"a@b\"@x.org"));
}

TEST(NormalizeEmailTest, KeepsDotsAndPlusSuffixes) {
  EXPECT_THAT(NormalizeEmail("A.N.N+News@gmail.com"), IsOkAndHolds("a.n.n+news@gmail.com"));
}

TEST(NormalizeEmailTest, StripsDotsAndSuffixesIfAsked) {
  EXPECT_THAT(NormalizeEmail("A.N.N+News@x.org", {.strip_plus_suffix = true}),
              IsOkAndHolds("a.n.n@x.org"));
  EXPECT_THAT(NormalizeEmail("a.n.n+news@x.org", {.strip_dots = true}),
              IsOkAndHolds("ann+news@x.org"));
  const EmailNormalization gmail = {
      .strip_plus_suffix = true, .strip_dots = true, .only_domains = {"Gmail.com"}};
  EXPECT_THAT(NormalizeEmail("A.N.N+News@GMAIL.com", gmail), IsOkAndHolds("ann@gmail.com"));
  EXPECT_THAT(NormalizeEmail("a.n.n+news@x.org", gmail), IsOkAndHolds("a.n.n+news@x.org"));
}

TEST(NormalizeEmailTest, RejectsMalformedAddresses) {
  for (const std::string& address :
       {std::string(), std::string("  "), std::string("ann"), std::string("@x.org"),
        std::string("ann@"), std::string("a nn@x.org"), std::string("a\0b@x.org", 9),
        std::string(250, 'a') + "@x.org"}) {
    EXPECT_THAT(NormalizeEmail(address), StatusIs(StatusCode::kValidation, _)) << address;
  }
  EXPECT_THAT(NormalizeEmail("+news@x.org"), IsOkAndHolds("+news@x.org"));
  EXPECT_THAT(NormalizeEmail("+news@x.org", {.strip_plus_suffix = true}),
              StatusIs(StatusCode::kValidation, _))
      << "stripping leaves nothing of the first part";
}

TEST(NormalizeEmailTest, EqualRulesHaveEqualDescriptions) {
  EXPECT_EQ(DescribeNormalization({}), "lowercase");
  EXPECT_EQ(DescribeNormalization({.only_domains = {"x.org"}}), "lowercase") << "nothing to strip";
  EXPECT_EQ(DescribeNormalization({.strip_plus_suffix = true, .only_domains = {"b.org", "A.org"}}),
            "lowercase, strip plus suffix at a.org b.org");
  EXPECT_EQ(DescribeNormalization({.strip_dots = true, .only_domains = {"a.org", "B.org"}}),
            "lowercase, strip dots at a.org b.org");
}

class StrippedEmailsTest : public UserEmailsTest {
 protected:
  StrippedEmailsTest() : UserEmailsTest(UserOptions{.normalization = rules_}) {}

  static inline const EmailNormalization rules_ = {.strip_plus_suffix = true};
};

TEST_F(StrippedEmailsTest, ASuffixDoesNotMakeADifferentAddress) {
  EXPECT_THAT(users().AddEmail({.user_id = "user123", .email = "Ann+2@example.org"}),
              StatusIs(StatusCode::kResourceInUse, HasSubstr("ann@example.org")));
  EXPECT_EQ(Value(users().FindByEmail("ann+anything@example.org")).user_id, "abc-123");
}

TEST_F(StrippedEmailsTest, OpeningWithOtherRulesIsRejected) {
  EXPECT_THAT(UserStore::Open(database_, {.normalization = rules_}), IsOk());
  EXPECT_THAT(UserStore::Open(database_),
              StatusIs(StatusCode::kValidation, HasSubstr("lowercase, strip plus suffix")));
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
  EXPECT_EQ(Value(users().FindEmail(address)), added);
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
  EXPECT_EQ(Value(users().FindEmail("sam@home.example")), added);
}

TEST_F(UserEmailsTest, AddingAnAddressRequiresAUser) {
  EXPECT_THAT(users().AddEmail({.user_id = "nobody", .email = "x@example.org"}),
              StatusIs(StatusCode::kResourceNotFound, HasSubstr("nobody")));
  ASSERT_THAT(
      users().SetStatus({.user_id = "user123", .version = 1, .status = UserStatus::kDeleted}),
      IsOk());
  EXPECT_THAT(users().AddEmail({.user_id = "user123", .email = "x@example.org"}),
              StatusIs(StatusCode::kConditionalCheckFailed, "the user user123 is deleted"));
  EXPECT_THAT(users().AddEmail({.user_id = "abc-123", .email = "x.example.org"}),
              StatusIs(StatusCode::kValidation, _));
  EXPECT_THAT(
      users().AddEmail({.user_id = "abc-123", .email = "x@example.org", .email_id = "email-001"}),
      StatusIs(StatusCode::kResourceInUse, HasSubstr("email-001")));
  EXPECT_THAT(users().IsTaken("x@example.org"), IsOkAndHolds(false));
  EXPECT_EQ(Stored("UNIQUE#emailClaim#x@example.org", "UNIQUE"), Item());
}

TEST_F(UserEmailsTest, VerifyingKeepsTheFirstTime) {
  const Email added = Value(users().AddEmail({.user_id = "user123", .email = "sam@home.example"}));
  const EmailId id = {.user_id = "user123", .email_id = added.email_id};
  TakeAsked();
  Email expected = added;
  expected.is_verified = true;
  expected.verified_at = clock_->Now();
  EXPECT_EQ(Value(users().VerifyEmail(id)), expected);
  EXPECT_EQ(TakeAsked(), (Asked{.operations = {"UpdateItem"}, .write_units = 2}));
  clock_->Advance(std::chrono::hours(1));
  EXPECT_EQ(Value(users().VerifyEmail(id)), expected);
  EXPECT_EQ(Value(users().FindEmail("sam@home.example")), expected) << "GSI1 is updated";
  EXPECT_THAT(users().VerifyEmail({.user_id = "user123", .email_id = "none"}),
              StatusIs(StatusCode::kResourceNotFound, HasSubstr("none")));
}

TEST_F(UserEmailsTest, MakePrimaryMovesTheMarkAndTheProfilesCopyTogether) {
  clock_->Advance(std::chrono::hours(1));
  ASSERT_THAT(users().MakePrimary({.user_id = "abc-123", .email_id = "email-002"}), IsOk());
  EXPECT_EQ(
      TakeAsked(),
      (Asked{.operations = {"Query", "TransactWriteItems"}, .read_units = 0.5, .write_units = 10}));
  const Account account = Value(users().GetAccount("abc-123"));
  ASSERT_EQ(account.emails.size(), 2U);
  EXPECT_FALSE(account.emails[0].is_primary);
  EXPECT_TRUE(account.emails[1].is_primary);
  EXPECT_EQ(account.profile.email, "ann.okafor@work.example");
  EXPECT_EQ(account.profile.version, 2);
  EXPECT_EQ(account.profile.updated_at, clock_->Now());
  EXPECT_FALSE(Value(users().FindEmail("ann@example.org")).is_primary) << "GSI1 is updated";

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
    UserStore store = Value(UserStore::Open(
        database_, {.observer = [operation, others, is_first](const RequestTrace& trace) {
          if (trace.operation == operation && std::exchange(*is_first, false)) others();
        }}));
    *is_first = true;
    return store;
  }

  // Removes email-002 and adds a different address with the id email-002.
  void ReuseEmail002() {
    const EmailId id = {.user_id = "abc-123", .email_id = "email-002"};
    ASSERT_THAT(users().RemoveEmail(id), IsOk());
    ASSERT_THAT(users().AddEmail({"abc-123", "new@example.org", "email-002"}), IsOk());
    ASSERT_THAT(users().VerifyEmail(id), IsOk());
  }
};

TEST_F(InterruptedTest, MakePrimaryUsesTheCurrentAddressOfItsRecord) {
  const UserStore interrupted = InterruptedAfter("Query", [this] { ReuseEmail002(); });
  ASSERT_THAT(interrupted.users().MakePrimary({"abc-123", "email-002"}), IsOk());
  const Account account = Value(users().GetAccount("abc-123"));
  EXPECT_EQ(account.profile.email, "new@example.org");
  EXPECT_EQ(account.primary()->email, "new@example.org");
}

TEST_F(InterruptedTest, RemoveEmailKeepsTheClaimOfANewOwner) {
  const UserStore interrupted = InterruptedAfter("GetItem", [this] {
    ReuseEmail002();
    ASSERT_THAT(users().AddEmail({"user123", "ann.okafor@work.example", "email-002"}), IsOk());
  });
  ASSERT_THAT(interrupted.users().RemoveEmail({"abc-123", "email-002"}), IsOk());
  EXPECT_THAT(users().IsTaken("new@example.org"), IsOkAndHolds(false));
  EXPECT_EQ(Value(users().FindEmail("ann.okafor@work.example")).user_id, "user123");
  EXPECT_THAT(users().AddEmail({"abc-123", "ann.okafor@work.example"}),
              StatusIs(StatusCode::kResourceInUse, _));
}

TEST_F(InterruptedTest, MakePrimaryStartsAgainAfterAConcurrentMakePrimary) {
  const UserStore interrupted = InterruptedAfter("Query", [this] {
    EXPECT_THAT(users().MakePrimary(AddVerified("abc-123", "other@example.org")), IsOk());
  });
  ASSERT_THAT(interrupted.users().MakePrimary({.user_id = "abc-123", .email_id = "email-002"}),
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

TEST_F(UserEmailsTest, AnAddressMayHoldKeySeparators) {
  const EmailId id = AddVerified("user123", "a#b/c@example.org");
  EXPECT_EQ(Value(users().FindEmail("A#b/c@example.org")).email_id, id.email_id);
  EXPECT_THAT(users().RemoveEmail(id), IsOk());
  EXPECT_THAT(users().IsTaken("a#b/c@example.org"), IsOkAndHolds(false));
}

}  // namespace
}  // namespace dolmen::user
