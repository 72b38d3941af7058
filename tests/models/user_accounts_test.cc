// Tests of profiles and accounts: access patterns on the sample data, edits, and errors.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/models/user_fixture.h"

namespace dolmen::user {
namespace {

class UserAccountsTest : public UserTest {
 protected:
  // Makes Sam deleted or suspended.
  void SetStatusOfSam(UserStatus status) {
    ASSERT_THAT(users().SetStatus(Value(users().GetProfile("user123")), status), IsOk());
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
                                                     {"GSI2PK", "EMAIL#ann@example.org"},
                                                     {"GSI2SK", "USER#abc-123"},
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

TEST_F(UserAccountsTest, FindByPrimaryEmailIsOneQuery) {
  EXPECT_EQ(Value(users().FindByPrimaryEmail(" ANN@example.ORG ")), ann_);
  EXPECT_EQ(TakeAsked(), (Asked{.operations = {"Query"}, .read_units = 0.5}));
  EXPECT_EQ(Value(users().FindByPrimaryEmail("ann.okafor@work.example")), std::nullopt)
      << "GSI2 holds primary addresses only";
  EXPECT_EQ(Value(users().FindByPrimaryEmail("bob@example.org")), std::nullopt);
  EXPECT_EQ(Value(users().FindByPrimaryEmail("ann")), std::nullopt) << "not an address";
}

TEST_F(UserAccountsTest, FindEmailRecordIsOneQuery) {
  EXPECT_EQ(Value(users().FindEmailRecord(" Ann.Okafor@Work.Example ")), ann_at_work_);
  EXPECT_EQ(TakeAsked(), (Asked{.operations = {"Query"}, .read_units = 0.5}));
  EXPECT_EQ(Value(users().FindEmailRecord("bob@example.org")), std::nullopt);
}

TEST_F(UserAccountsTest, IsTakenIsOneQuery) {
  EXPECT_THAT(users().IsTaken("sam@example.org"), IsOkAndHolds(true));
  EXPECT_THAT(users().IsTaken("bob@example.org"), IsOkAndHolds(false));
  EXPECT_EQ(TakeAsked(), (Asked{.operations = {"Query", "Query"}, .read_units = 1}));
}

TEST_F(UserAccountsTest, GetAccountReadsAllOfAUserInOneQuery) {
  const Account account = Value(users().GetAccount("abc-123"));
  EXPECT_EQ(TakeAsked(), (Asked{.operations = {"Query"}, .read_units = 0.5}));
  EXPECT_EQ(account.profile, ann_);
  EXPECT_EQ(account.emails, (std::vector<Email>{ann_at_example_, ann_at_work_}));
  EXPECT_EQ(*account.primary(), ann_at_example_);
  EXPECT_EQ(account.sessions, Value(store_.sessions.List("abc-123")));
  EXPECT_EQ(account.sessions.size(), 1U);
  EXPECT_EQ(account.achievements, Value(store_.achievements.List("abc-123")));
  EXPECT_EQ(account.achievements.size(), 2U);
  EXPECT_THAT(users().GetAccount("nobody"),
              StatusIs(StatusCode::kResourceNotFound, "there is no user nobody"));
}

TEST_F(UserAccountsTest, CreateStoresAUserWithAVerifiedPrimaryAddress) {
  const Email made =
      Value(users().Create({.email = " Bob@Example.org", .first_name = "Bob", .last_name = "Ito"}));
  EXPECT_EQ(TakeAsked(), (Asked{.operations = {"TransactWriteItems"}, .write_units = 10}));
  EXPECT_EQ(made.user_id.size(), 36U) << "a new UUID is the id";
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
              StatusIs(StatusCode::kValidation, HasSubstr("email is not an e-mail address")));
  EXPECT_THAT(users().Create({.user_id = "u#09", .email = "new@example.org"}),
              StatusIs(StatusCode::kValidation, HasSubstr("userId")));
  for (const char* phone : {"", "+", "4930123456", "+0930123456", "+1234567890123456", "+49 30"}) {
    EXPECT_THAT(users().Create({.user_id = "u_09", .email = "new@example.org", .phone = phone}),
                StatusIs(StatusCode::kValidation, HasSubstr("phone")))
        << phone;
  }
  EXPECT_THAT(users().GetProfile("u_09"), StatusIs(StatusCode::kResourceNotFound, _));
  EXPECT_EQ(Stored("UNIQUE#emailClaim#new@example.org", "UNIQUE"), Item());
}

TEST_F(UserAccountsTest, EditStoresTheNamesAndThePhoneAndIncrementsTheVersion) {
  clock_->Advance(std::chrono::hours(1));
  Profile changed = ann_;
  changed.last_name = "Meyer";
  const Profile second = Value(users().Edit(changed));
  EXPECT_EQ(TakeAsked(), (Asked{.operations = {"UpdateItem"}, .write_units = 2}));
  changed.version = 2;
  changed.updated_at = clock_->Now();
  EXPECT_EQ(second, changed);
  changed.phone = std::nullopt;
  const Profile third = Value(users().Edit(changed));
  changed.version = 3;
  EXPECT_EQ(third, changed);
  EXPECT_EQ(Value(users().GetProfile("abc-123")), changed);
}

TEST_F(UserAccountsTest, TheSecondOfTwoEditsOfOneVersionIsRejected) {
  Profile edited = ann_;
  edited.first_name = "Anna";
  ASSERT_THAT(users().Edit(edited), IsOk());
  edited.first_name = "Anne";
  EXPECT_THAT(users().Edit(edited),
              StatusIs(StatusCode::kTransactionConflict, HasSubstr("version 2")));
  Profile stored = Value(users().GetProfile("abc-123"));
  EXPECT_EQ(stored.first_name, "Anna");
  stored.phone = "none";
  EXPECT_THAT(users().Edit(stored), StatusIs(StatusCode::kValidation, HasSubstr("phone")));
}

TEST_F(UserAccountsTest, SetStatusKeepsTheProfileAndItsAddress) {
  const Profile first = Value(users().GetProfile("user123"));
  SetStatusOfSam(UserStatus::kSuspended);
  EXPECT_EQ(Stored("USER#user123", "PROFILE")["status"], AttributeValue("suspended"));
  EXPECT_THAT(users().SetStatus(first, UserStatus::kActive),
              StatusIs(StatusCode::kTransactionConflict, HasSubstr("version 2")));
  SetStatusOfSam(UserStatus::kDeleted);
  EXPECT_EQ(Value(users().GetProfile("user123")).status, UserStatus::kDeleted);
  EXPECT_THAT(users().IsTaken("sam@example.org"), IsOkAndHolds(true))
      << "the address still belongs to the user";
  EXPECT_THAT(users().SetStatus(first, static_cast<UserStatus>(7)),
              StatusIs(StatusCode::kValidation, HasSubstr("status")));
}

TEST_F(UserAccountsTest, SuspensionEndsAllSessions) {
  const Profile sam = Value(users().GetProfile("user123"));
  TakeAsked();
  ASSERT_THAT(users().SetStatus(sam, UserStatus::kSuspended), IsOk());
  EXPECT_EQ(TakeAsked(), (Asked{.operations = {"UpdateItem", "Query", "BatchWriteItem"},
                                .read_units = 0.5,
                                .write_units = 4}));
  EXPECT_TRUE(Value(store_.sessions.List("user123")).empty());
  EXPECT_THAT(store_.sessions.Start("user123"),
              StatusIs(StatusCode::kConditionalCheckFailed, "the user user123 is not active"));
  EXPECT_EQ(Value(store_.sessions.List("abc-123")).size(), 1U) << "another user";
}

TEST_F(UserAccountsTest, EraseRemovesAllItemsOfAUser) {
  ASSERT_THAT(store_.connections.Connect({.user_id = "user456", .other_id = "abc-123"}), IsOk());
  ASSERT_THAT(users().Erase("user456"), IsOk());
  EXPECT_THAT(users().GetAccount("user456"), StatusIs(StatusCode::kResourceNotFound, _));
  const Table table = RawTable();
  ItemRange range = table.ScanAll({});
  for (const ItemView item : range) {
    EXPECT_EQ(testing::PrintToString(Value(item.Copy())).find("user456"), std::string::npos);
  }
  EXPECT_THAT(range.status(), IsOk());
  EXPECT_THAT(users().Create({.user_id = "u_10", .email = "kim@example.org"}), IsOk())
      << "the address is free";
  EXPECT_EQ(Value(users().GetAccount("user123")).emails.size(), 1U) << "another user";
  EXPECT_THAT(users().Erase("nobody"),
              StatusIs(StatusCode::kResourceNotFound, HasSubstr("nobody")));
}

TEST_F(UserAccountsTest, LoadingTheSampleAgainChangesNothing) {
  Profile changed = ann_;
  changed.first_name = "Anna";
  ASSERT_THAT(users().Edit(changed), IsOk());
  const Account before = Value(users().GetAccount("abc-123"));
  clock_->Advance(std::chrono::hours(1));
  ASSERT_THAT(LoadSampleData(store_), IsOk());
  const Account after = Value(users().GetAccount("abc-123"));
  EXPECT_EQ(after.profile, before.profile);
  EXPECT_EQ(after.emails, before.emails);
}

}  // namespace
}  // namespace dolmen::user
