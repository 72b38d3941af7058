// Tests of profiles and accounts: access patterns on the sample data, edits, and errors.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/models/user_fixture.h"
#include "tests/support/temp_directory.h"

namespace dolmen::user {
namespace {

class UserAccountsTest : public UserTest {
 protected:
  static std::vector<std::string> IdsOf(const std::vector<Email>& emails) {
    std::vector<std::string> ids;
    for (const Email& email : emails) ids.push_back(email.email_id);
    return ids;
  }

  const Timestamp now_ = clock_->Now();
  const Profile ann_ = {.user_id = "abc-123",
                        .email = "ann@example.org",
                        .first_name = "Ann",
                        .last_name = "Okafor",
                        .phone = "+4930123456",
                        .status = UserStatus::kActive,
                        .version = 1,
                        .created_at = now_,
                        .updated_at = now_};
  const Email ann_at_example_ = {.user_id = "abc-123",
                                 .email_id = "email-001",
                                 .email = "ann@example.org",
                                 .is_primary = true,
                                 .is_verified = true,
                                 .verified_at = now_,
                                 .created_at = now_};
  const Email ann_at_work_ = {.user_id = "abc-123",
                              .email_id = "email-002",
                              .email = "ann.okafor@work.example",
                              .is_primary = false,
                              .is_verified = true,
                              .verified_at = now_,
                              .created_at = now_};
};

TEST_F(UserAccountsTest, StoredItemsMatchThePattern) {
  EXPECT_EQ(Stored("USER#abc-123", "PROFILE"), (Item{{"PK", "USER#abc-123"},
                                                     {"SK", "PROFILE"},
                                                     {"entityType", "profile"},
                                                     {"userId", "abc-123"},
                                                     {"email", "ann@example.org"},
                                                     {"firstName", "Ann"},
                                                     {"lastName", "Okafor"},
                                                     {"phone", "+4930123456"},
                                                     {"status", "active"},
                                                     {"version", 1},
                                                     {"createdAt", "2026-04-15T12:00:00.000Z"},
                                                     {"updatedAt", "2026-04-15T12:00:00.000Z"}}))
      << "a profile is not in GSI1";
  EXPECT_EQ(Stored("USER#abc-123", "EMAIL#email-001"),
            (Item{{"PK", "USER#abc-123"},
                  {"SK", "EMAIL#email-001"},
                  {"GSI1PK", "EMAIL#ann@example.org"},
                  {"GSI1SK", "USER#abc-123"},
                  {"entityType", "email"},
                  {"userId", "abc-123"},
                  {"emailId", "email-001"},
                  {"email", "ann@example.org"},
                  {"isPrimary", true},
                  {"isVerified", true},
                  {"verifiedAt", "2026-04-15T12:00:00.000Z"},
                  {"createdAt", "2026-04-15T12:00:00.000Z"}}));
  EXPECT_EQ(Stored("UNIQUE#emailClaim#ann@example.org", "UNIQUE"),
            (Item{{"PK", "UNIQUE#emailClaim#ann@example.org"},
                  {"SK", "UNIQUE"},
                  {"entityType", "emailClaim"},
                  {"ownerPK", "USER#abc-123"},
                  {"ownerSK", "EMAIL#email-001"}}));
}

TEST_F(UserAccountsTest, GetProfileIsOneGetItem) {
  EXPECT_EQ(Value(users().GetProfile("abc-123")), ann_);
  EXPECT_EQ(TakeAsked(), (Asked{.operations = {"GetItem"}, .read_units = 0.5}));
  EXPECT_THAT(users().GetProfile("nobody"), StatusIs(StatusCode::kResourceNotFound,
                                                     "there is no profile with userId \"nobody\""));
  EXPECT_THAT(users().GetProfile(""), StatusIs(StatusCode::kValidation, HasSubstr("userId")));
  EXPECT_THAT(users().GetProfile("a#b"), StatusIs(StatusCode::kValidation, HasSubstr("userId")));
}

TEST_F(UserAccountsTest, ListEmailsIsOneQuery) {
  EXPECT_EQ(Value(users().ListEmails("abc-123")),
            (std::vector<Email>{ann_at_example_, ann_at_work_}));
  EXPECT_EQ(TakeAsked(), (Asked{.operations = {"Query"}, .read_units = 0.5}));
  EXPECT_TRUE(Value(users().ListEmails("nobody")).empty());
}

TEST_F(UserAccountsTest, FindByEmailIsAQueryAndAGetItem) {
  EXPECT_EQ(Value(users().FindEmail(" ANN@example.ORG ")), ann_at_example_);
  EXPECT_EQ(TakeAsked(), (Asked{.operations = {"Query"}, .read_units = 0.5}));
  EXPECT_EQ(Value(users().FindByEmail("ann.okafor@work.example")), ann_);
  EXPECT_EQ(TakeAsked(), (Asked{.operations = {"Query", "GetItem"}, .read_units = 1}));
  EXPECT_THAT(users().FindByEmail("bob@example.org"),
              StatusIs(StatusCode::kResourceNotFound, "no user has the address bob@example.org"));
  EXPECT_EQ(TakeAsked(), (Asked{.operations = {"Query"}, .read_units = 0.5}));
  EXPECT_THAT(users().FindEmail("ann"), StatusIs(StatusCode::kValidation, HasSubstr("ann")));
  EXPECT_EQ(TakeAsked(), Asked{}) << "a malformed address is not looked up";
}

TEST_F(UserAccountsTest, IsTakenIsOneQuery) {
  EXPECT_THAT(users().IsTaken("sam@example.org"), IsOkAndHolds(true));
  EXPECT_THAT(users().IsTaken("bob@example.org"), IsOkAndHolds(false));
  EXPECT_EQ(TakeAsked(), (Asked{.operations = {"Query", "Query"}, .read_units = 1}));
}

TEST_F(UserAccountsTest, GetAccountIsOneQuery) {
  const Account account = Value(users().GetAccount("abc-123"));
  EXPECT_EQ(account.profile, ann_);
  EXPECT_EQ(account.emails, (std::vector<Email>{ann_at_example_, ann_at_work_}));
  EXPECT_EQ(*account.primary(), ann_at_example_);
  EXPECT_EQ(TakeAsked(), (Asked{.operations = {"Query"}, .read_units = 0.5}));
  EXPECT_THAT(users().GetAccount("nobody"),
              StatusIs(StatusCode::kResourceNotFound, "there is no user nobody"));
}

// GetAccount reads one range of sort keys in the user's partition. The range contains the e-mail
// addresses (EMAIL#...) and the profile (PROFILE). Achievements sort before this range and sessions
// sort after it, so GetAccount must not read them.
TEST_F(UserAccountsTest, GetAccountDoesNotReadSessionsAndAchievements) {
  for (int i = 0; i < 100; ++i) {
    ASSERT_THAT(store_->sessions().Start({.user_id = "abc-123"}), IsOk());
  }
  TakeAsked();
  EXPECT_EQ(IdsOf(Value(users().GetAccount("abc-123")).emails),
            (std::vector<std::string>{"email-001", "email-002"}));
  EXPECT_EQ(TakeAsked(), (Asked{.operations = {"Query"}, .read_units = 0.5}));
}

TEST_F(UserAccountsTest, CreateStoresAUserWithAVerifiedPrimaryAddress) {
  const EmailId made =
      Value(users().Create({.email = " Bob@Example.org", .first_name = "Bob", .last_name = "Ito"}));
  EXPECT_EQ(TakeAsked(), (Asked{.operations = {"TransactWriteItems"}, .write_units = 8}));
  EXPECT_EQ(Value(UlidTime(made.user_id)), now_) << "a new ULID is the id";
  const Account account = Value(users().GetAccount(made.user_id));
  EXPECT_EQ(account.profile.email, "bob@example.org");
  EXPECT_EQ(account.profile.version, 1);
  EXPECT_EQ(account.emails, (std::vector<Email>{{.user_id = made.user_id,
                                                 .email_id = made.email_id,
                                                 .email = "bob@example.org",
                                                 .is_primary = true,
                                                 .is_verified = true,
                                                 .verified_at = now_,
                                                 .created_at = now_}}));
}

TEST_F(UserAccountsTest, ARejectedCreateWritesNothing) {
  EXPECT_THAT(users().Create({.user_id = "abc-123", .email = "new@example.org"}),
              StatusIs(StatusCode::kResourceInUse, HasSubstr("abc-123")));
  EXPECT_THAT(users().IsTaken("new@example.org"), IsOkAndHolds(false));
  EXPECT_THAT(users().Create({.user_id = "u_09", .email = "SAM@example.org"}),
              StatusIs(StatusCode::kResourceInUse, HasSubstr("sam@example.org")));
  EXPECT_THAT(users().Create({.user_id = "u_09", .email = "nowhere"}),
              StatusIs(StatusCode::kValidation, HasSubstr("nowhere")));
  EXPECT_THAT(users().Create({.user_id = "u#09", .email = "new@example.org"}),
              StatusIs(StatusCode::kValidation, HasSubstr("userId")));
  for (const char* phone : {"", "+", "4930123456", "+0930123456", "+1234567890123456", "+49 30"}) {
    EXPECT_THAT(users().Create({.user_id = "u_09", .email = "new@example.org", .phone = phone}),
                StatusIs(StatusCode::kValidation, HasSubstr("telephone")))
        << phone;
  }
  EXPECT_THAT(users().GetProfile("u_09"), StatusIs(StatusCode::kResourceNotFound, _));
  EXPECT_EQ(Stored("UNIQUE#emailClaim#new@example.org", "UNIQUE"), Item());
}

TEST_F(UserAccountsTest, EditChangesTheGivenMembersAndIncrementsTheVersion) {
  clock_->Advance(std::chrono::hours(1));
  Profile expected = ann_;
  expected.last_name = "Meyer";
  expected.version = 2;
  expected.updated_at = clock_->Now();
  EXPECT_EQ(Value(users().Edit({.user_id = "abc-123", .version = 1, .last_name = "Meyer"})),
            expected);
  EXPECT_EQ(TakeAsked(), (Asked{.operations = {"UpdateItem"}, .write_units = 1}));
  expected.phone = std::nullopt;
  expected.version = 3;
  EXPECT_EQ(Value(users().Edit({.user_id = "abc-123", .version = 2, .phone = ""})), expected);
  EXPECT_EQ(Value(users().GetProfile("abc-123")), expected);
}

TEST_F(UserAccountsTest, TheSecondOfTwoEditsOfOneVersionIsRejected) {
  ASSERT_THAT(users().Edit({.user_id = "abc-123", .version = 1, .first_name = "Anna"}), IsOk());
  EXPECT_THAT(users().Edit({.user_id = "abc-123", .version = 1, .first_name = "Anne"}),
              StatusIs(StatusCode::kTransactionConflict, HasSubstr("version 2")));
  EXPECT_EQ(Value(users().GetProfile("abc-123")).first_name, "Anna");
  EXPECT_THAT(users().Edit({.user_id = "abc-123", .version = 2, .phone = "none"}),
              StatusIs(StatusCode::kValidation, _));
}

TEST_F(UserAccountsTest, SetStatusKeepsTheProfileAndItsAddress) {
  Profile sam = Value(
      users().SetStatus({.user_id = "user123", .version = 1, .status = UserStatus::kSuspended}));
  EXPECT_EQ(TakeAsked(), (Asked{.operations = {"UpdateItem"}, .write_units = 1}));
  EXPECT_EQ(sam.status, UserStatus::kSuspended);
  EXPECT_EQ(Stored("USER#user123", "PROFILE")["status"], AttributeValue("suspended"));
  EXPECT_THAT(users().SetStatus({.user_id = "user123", .version = 1}),
              StatusIs(StatusCode::kTransactionConflict, _));
  sam = Value(users().SetStatus(
      {.user_id = "user123", .version = sam.version, .status = UserStatus::kDeleted}));
  EXPECT_EQ(Value(users().GetProfile("user123")), sam) << "the profile still exists";
  EXPECT_THAT(users().IsTaken("sam@example.org"), IsOkAndHolds(true))
      << "the address still belongs to the user";
  EXPECT_THAT(
      users().SetStatus(
          {.user_id = "user123", .version = sam.version, .status = static_cast<UserStatus>(7)}),
      StatusIs(StatusCode::kValidation, HasSubstr("status")));
}

TEST_F(UserAccountsTest, AMalformedItemIsCorruptionThatNamesTheAttribute) {
  const Table table = RawTable();
  Item profile = Stored("USER#user123", "PROFILE");
  profile["lastName"] = 7;
  ASSERT_THAT(table.PutItem({.item = profile}), IsOk());
  EXPECT_THAT(users().GetAccount("user123"),
              StatusIs(StatusCode::kCorruption, HasSubstr("lastName has type N")));
  profile["lastName"] = "Reyes";
  profile["status"] = "asleep";
  ASSERT_THAT(table.PutItem({.item = profile}), IsOk());
  EXPECT_THAT(users().GetProfile("user123"),
              StatusIs(StatusCode::kCorruption, HasSubstr("\"asleep\"")));
  profile["entityType"] = "session";
  ASSERT_THAT(table.PutItem({.item = profile}), IsOk());
  EXPECT_THAT(users().GetProfile("user123"),
              StatusIs(StatusCode::kCorruption, HasSubstr("another entity, session")));
}

TEST_F(UserAccountsTest, AccountsAreUnchangedAfterReopening) {
  const test::TempDirectory temp;
  std::optional<Account> before;
  {
    const UserStore store = Value(UserStore::Open(Value(Database::Open(temp / "users.dolmen"))));
    ASSERT_THAT(LoadSampleData(store), IsOk());
    before = Value(store.users().GetAccount("abc-123"));
  }
  const UserStore store = Value(UserStore::Open(Value(Database::Open(temp / "users.dolmen"))));
  const Account after = Value(store.users().GetAccount("abc-123"));
  EXPECT_EQ(after.profile, before->profile);
  EXPECT_EQ(after.emails, before->emails);
  EXPECT_THAT(store.users().AddEmail({.user_id = "user123", .email = "ann@example.org"}),
              StatusIs(StatusCode::kResourceInUse, _));
}

TEST_F(UserAccountsTest, LoadingTheSampleAgainChangesNothing) {
  ASSERT_THAT(users().Edit({.user_id = "abc-123", .version = 1, .first_name = "Anna"}), IsOk());
  const Account before = Value(users().GetAccount("abc-123"));
  clock_->Advance(std::chrono::hours(1));
  ASSERT_THAT(LoadSampleData(*store_), IsOk());
  const Account after = Value(users().GetAccount("abc-123"));
  EXPECT_EQ(after.profile, before.profile);
  EXPECT_EQ(after.emails, before.emails);
}

}  // namespace
}  // namespace dolmen::user
