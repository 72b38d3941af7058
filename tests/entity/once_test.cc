// Tests of what takes effect once: requests with a key (idempotent.h), and tokens (token.h).

#include <dolmen/entity.h>
#include <dolmen/entity/idempotent.h>
#include <dolmen/entity/token.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <set>
#include <string>
#include <vector>

#include "tests/entity/fixture.h"

namespace dolmen::hotel {
namespace {

using std::chrono::hours;

class OnceTest : public EntityTest {
 protected:
  // Increases the price of the room once for each key.
  Result<bool> Raise(const std::string& key) const {
    return CommitOnce(table(),
                      table().Transact().Update(TheRoom(), Changes<Room>().Add<&Room::price>(1)),
                      key, hours(1));
  }
  std::int64_t Price() const { return Value(table().Get(TheRoom())).price; }

  const std::int64_t price_ = TheRoom().price;
};

TEST_F(OnceTest, ARepeatedRequestWritesNothing) {
  Value(table().Create(TheRoom()));
  EXPECT_THAT(Raise("r1"), IsOkAndHolds(true));
  EXPECT_THAT(Raise("r1"), IsOkAndHolds(false));
  EXPECT_THAT(Raise("r2"), IsOkAndHolds(true));
  EXPECT_EQ(Price(), price_ + 2);
}

TEST_F(OnceTest, ARepeatedRequestSucceedsThoughItsOwnConditionsFailNow) {
  const auto create = [&] {
    return CommitOnce(table(), table().Transact().Create(TheRoom()), "r1", hours(1));
  };
  EXPECT_THAT(create(), IsOkAndHolds(true));
  EXPECT_THAT(create(), IsOkAndHolds(false));
}

TEST_F(OnceTest, AFailedRequestCanBeRepeated) {
  EXPECT_THAT(Raise("r1"), StatusIs(kNotFound, HasSubstr("room")));
  Value(table().Create(TheRoom()));
  EXPECT_THAT(Raise("r1"), IsOkAndHolds(true));
  EXPECT_THAT(Raise(""), StatusIs(kValidation, HasSubstr("key")));
}

TEST_F(OnceTest, AMarkLosesItsEffectAfterItsLifetime) {
  Value(table().Create(TheRoom()));
  EXPECT_THAT(Raise("r1"), IsOkAndHolds(true));
  clock_->Advance(hours(1) - std::chrono::seconds(1));
  EXPECT_THAT(Raise("r1"), IsOkAndHolds(false));
  clock_->Advance(std::chrono::seconds(2));
  EXPECT_THAT(Raise("r1"), IsOkAndHolds(true)) << "although the table has not deleted the mark";
}

TEST_F(OnceTest, ARetriedTransactionTakesEffectOncePerKey) {
  Value(table().Create(TheRoom()));
  int attempts = 0;
  const auto raise = [&](const std::string& key) {
    return RetryOnce(
        table(),
        [&](EntityTransaction& transaction) -> Status {
          const std::int64_t seen = ++attempts == 1 ? 0 : Price();  // the first attempt conflicts
          transaction.Update(TheRoom(), Changes<Room>()
                                            .Set<&Room::price>(Price() + 1)
                                            .RetryUnless(AttrOf<&Room::price>() == seen));
          return {};
        },
        key, hours(1));
  };
  EXPECT_THAT(raise("r1"), IsOkAndHolds(true));
  EXPECT_EQ(attempts, 2);
  EXPECT_THAT(raise("r1"), IsOkAndHolds(false));
  EXPECT_EQ(Price(), price_ + 1);
  EXPECT_THAT(raise(""), IsOkAndHolds(true)) << "an empty key has no mark";
  EXPECT_THAT(raise(""), IsOkAndHolds(true));
  EXPECT_EQ(Price(), price_ + 3);
}

class TokensTest : public OnceTest {
 protected:
  const Tokens invitations_ = Tokens(table(), "invitation");
  const StatusCode unknown_ = kNotFound;
};

TEST_F(TokensTest, ATokenIsUsedOnce) {
  const std::string secret = Value(invitations_.Issue("project 7", hours(1)));
  EXPECT_EQ(secret.size(), 32u);
  EXPECT_THAT(invitations_.Use(secret), IsOkAndHolds("project 7"));
  EXPECT_THAT(invitations_.Use(secret),
              StatusIs(unknown_, "the token is unknown, used or expired"));
}

TEST_F(TokensTest, AnExpiredTokenIsUnknown) {
  const std::string secret = Value(invitations_.Issue("project 7", hours(1)));
  clock_->Advance(hours(1) + std::chrono::seconds(1));
  EXPECT_THAT(invitations_.Use(secret), StatusIs(unknown_, testing::_));
}

TEST_F(TokensTest, ATokenOfAnotherPurposeIsUnknown) {
  const std::string secret = Value(invitations_.Issue("project 7", hours(1)));
  EXPECT_THAT(Tokens(table(), "password").Use(secret), StatusIs(unknown_, testing::_));
  EXPECT_THAT(invitations_.Use(secret), IsOkAndHolds("project 7"));
}

TEST_F(TokensTest, AWrongSecretIsUnknown) {
  for (const char* secret : {"", "x", "#", "TOKEN#invitation"}) {
    EXPECT_THAT(invitations_.Use(secret), StatusIs(unknown_, testing::_)) << secret;
  }
}

TEST(SecretTest, SecretsDiffer) {
  std::set<std::string> secrets;
  for (int i = 0; i < 100; ++i) secrets.insert(Value(NewSecret()));
  EXPECT_EQ(secrets.size(), 100u);
}

}  // namespace
}  // namespace dolmen::hotel
