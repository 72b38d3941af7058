// Tests of secrets that are sent by mail, and of addresses that were stored without claims.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/models/user_fixture.h"

namespace dolmen::user {
namespace {

using std::chrono::hours;
using std::chrono::seconds;

class UserTokensTest : public UserTest {
 protected:
  const Email added_ = Value(users().AddEmail({.user_id = "user123", .email = "sam@home.example"}));
};

TEST_F(UserTokensTest, ASecretVerifiesAnAddressOnce) {
  TakeAsked();
  const std::string secret = Value(users().IssueVerification(added_));
  EXPECT_EQ(TakeAsked(), (Asked{.operations = {"PutItem"}, .write_units = 1}));
  const Email verified = Value(users().UseVerification("user123", secret));
  EXPECT_EQ(TakeAsked(), (Asked{.operations = {"GetItem", "DeleteItem", "UpdateItem"},
                                .read_units = 0.5,
                                .write_units = 3}));
  EXPECT_EQ(verified.email, "sam@home.example");
  EXPECT_TRUE(verified.is_verified);
  EXPECT_EQ(verified.verified_at, clock_->Now());
  EXPECT_THAT(users().UseVerification("user123", secret),
              StatusIs(StatusCode::kResourceNotFound, "the token is unknown, used or expired"));
}

TEST_F(UserTokensTest, ASecretVerifiesNoAddressOfAnotherUser) {
  ASSERT_THAT(users().AddEmail(
                  {.user_id = "user456", .email_id = added_.email_id, .email = "kim@home.example"}),
              IsOk());
  const std::string secret = Value(users().IssueVerification(added_));
  EXPECT_THAT(users().UseVerification("user456", secret),
              StatusIs(StatusCode::kResourceNotFound, _));
  EXPECT_FALSE(Value(users().FindEmailRecord("kim@home.example"))->is_verified);
}

TEST_F(UserTokensTest, AVerificationExpiresAfterADay) {
  const std::string secret = Value(users().IssueVerification(added_));
  clock_->Advance(hours(24) + seconds(1));
  EXPECT_THAT(users().UseVerification("user123", secret),
              StatusIs(StatusCode::kResourceNotFound, _));
  EXPECT_FALSE(Value(users().FindEmailRecord("sam@home.example"))->is_verified);
}

TEST_F(UserTokensTest, AResetSecretReturnsItsUserOnce) {
  const std::string secret = Value(users().IssueReset(" SAM@example.org"));
  EXPECT_EQ(Value(users().UseReset(secret)).user_id, "user123");
  EXPECT_THAT(users().UseReset(secret),
              StatusIs(StatusCode::kResourceNotFound, "the token is unknown, used or expired"));
}

TEST_F(UserTokensTest, AResetExpiresAfterAnHour) {
  const std::string secret = Value(users().IssueReset("sam@example.org"));
  clock_->Advance(hours(1) + seconds(1));
  EXPECT_THAT(users().UseReset(secret), StatusIs(StatusCode::kResourceNotFound, _));
}

TEST_F(UserTokensTest, AResetRequiresAVerifiedAddress) {
  for (const char* address : {"sam@home.example", "bob@example.org"}) {
    EXPECT_THAT(users().IssueReset(address),
                StatusIs(StatusCode::kResourceNotFound,
                         "no user has verified the address " + std::string(address)));
  }
}

TEST_F(UserTokensTest, ASecretOfAVerificationIsNoResetSecret) {
  const std::string secret = Value(users().IssueVerification(added_));
  EXPECT_THAT(users().UseReset(secret), StatusIs(StatusCode::kResourceNotFound, _));
}

class UserAdoptionTest : public UserTest {
 protected:
  // Stores an e-mail record without the claim item that reserves its address.
  void PutWithoutClaim(const std::string& user_id, const std::string& address) {
    const Email email = {.user_id = user_id, .email_id = "old", .email = address};
    ASSERT_THAT(RawTable().PutItem({.item = Value(ToItem(email))}), IsOk());
  }
};

TEST_F(UserAdoptionTest, AdoptedAddressesAreUnique) {
  PutWithoutClaim("user123", "old@example.org");
  const MigrationProgress progress = Value(users().AdoptEmails());
  EXPECT_TRUE(progress.failures.empty());
  EXPECT_THAT(users().AddEmail({.user_id = "user456", .email = "old@example.org"}),
              StatusIs(StatusCode::kResourceInUse, "email old@example.org is taken"));
}

TEST_F(UserAdoptionTest, AnAddressWithTwoOwnersIsReported) {
  PutWithoutClaim("user123", "old@example.org");
  PutWithoutClaim("user456", "old@example.org");
  const MigrationProgress progress = Value(users().AdoptEmails());
  ASSERT_EQ(progress.failures.size(), 1U);
  EXPECT_THAT(progress.failures[0].message(), HasSubstr("email old@example.org is taken"));
}

}  // namespace
}  // namespace dolmen::user
