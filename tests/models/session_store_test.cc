#include "models/examples/session_store.h"

#include <gtest/gtest.h>

#include <chrono>
#include <memory>

#include "tests/support/status_matchers.h"
#include "tests/support/value.h"

namespace dolmen::examples {
namespace {

using std::chrono::minutes;
using std::chrono::seconds;
using test::IsOk;
using test::IsOkAndHolds;
using test::StatusIs;
using test::Value;
using testing::_;

// A store of sessions that live for 30 minutes. Only the method Sweep() deletes expired items.
class SessionStoreTest : public testing::Test {
 protected:
  // Sweeps expired items and returns their number.
  std::uint64_t Sweep() { return Value(Value(database_.OpenTable("sessions")).ExpireNow()); }

  std::shared_ptr<ManualClock> clock_ =
      std::make_shared<ManualClock>(Value(ParseIso8601("2026-04-15T12:00:00Z")));
  Database database_ = Value(Database::InMemory({.clock = clock_, .expiry_lag = std::nullopt}));
  SessionStore sessions_ = Value(SessionStore::Open(database_, minutes(30)));
};

TEST_F(SessionStoreTest, ASessionIsFoundByItsToken) {
  const Session session = Value(sessions_.Create("u_01"));
  EXPECT_EQ(session.user_id, "u_01");
  EXPECT_EQ(session.expires_at, clock_->Now() + minutes(30));
  EXPECT_THAT(sessions_.Find(session.id), IsOkAndHolds(session));
  EXPECT_THAT(sessions_.Find("a guessed token"), IsOkAndHolds(std::nullopt));
}

TEST_F(SessionStoreTest, EachTokenIsDifferent) {
  EXPECT_NE(Value(sessions_.Create("u_01")).id, Value(sessions_.Create("u_01")).id);
}

TEST_F(SessionStoreTest, AnExpiredSessionIsAbsentBeforeItIsSweptAndAfter) {
  const Session session = Value(sessions_.Create("u_01"));
  clock_->Advance(minutes(30));
  EXPECT_THAT(sessions_.Find(session.id), IsOkAndHolds(session));
  clock_->Advance(seconds(1));
  EXPECT_THAT(sessions_.Find(session.id), IsOkAndHolds(std::nullopt));
  EXPECT_EQ(Sweep(), 1U);
  EXPECT_THAT(sessions_.Find(session.id), IsOkAndHolds(std::nullopt));
}

TEST_F(SessionStoreTest, RenewingRestartsTheLifetime) {
  const std::string id = Value(sessions_.Create("u_01")).id;
  clock_->Advance(minutes(29));
  const Session renewed = Value(sessions_.Renew(id));
  EXPECT_EQ(renewed,
            (Session{.id = id, .user_id = "u_01", .expires_at = clock_->Now() + minutes(30)}));
  clock_->Advance(minutes(29));
  EXPECT_THAT(sessions_.Find(id), IsOkAndHolds(renewed));
  EXPECT_EQ(Sweep(), 0U);
  EXPECT_THAT(sessions_.Find(id), IsOkAndHolds(renewed));
}

TEST_F(SessionStoreTest, AnExpiredSessionCannotBeRenewedBeforeOrAfterItIsSwept) {
  const std::string id = Value(sessions_.Create("u_01")).id;
  clock_->Advance(minutes(31));
  EXPECT_THAT(sessions_.Renew(id), StatusIs(StatusCode::kResourceNotFound, _));
  EXPECT_EQ(Sweep(), 1U);
  EXPECT_THAT(sessions_.Renew(id), StatusIs(StatusCode::kResourceNotFound, _));
  EXPECT_THAT(sessions_.Find(id), IsOkAndHolds(std::nullopt));
}

TEST_F(SessionStoreTest, ARevokedSessionIsAbsent) {
  const std::string id = Value(sessions_.Create("u_01")).id;
  EXPECT_THAT(sessions_.Revoke(id), IsOk());
  EXPECT_THAT(sessions_.Find(id), IsOkAndHolds(std::nullopt));
  EXPECT_THAT(sessions_.Renew(id), StatusIs(StatusCode::kResourceNotFound, _));
  EXPECT_THAT(sessions_.Revoke(id), IsOk());
}

TEST_F(SessionStoreTest, ALifetimeIsRoundedUpToWholeSeconds) {
  const SessionStore brief = Value(SessionStore::Open(database_, std::chrono::milliseconds(1)));
  const Session session = Value(brief.Create("u_01"));
  EXPECT_EQ(session.expires_at, clock_->Now() + seconds(1));
  EXPECT_THAT(brief.Find(session.id), IsOkAndHolds(session));
}

TEST_F(SessionStoreTest, OpeningAgainFindsTheSessions) {
  const Session session = Value(sessions_.Create("u_01"));
  const SessionStore again = Value(SessionStore::Open(database_));
  EXPECT_THAT(again.Find(session.id), IsOkAndHolds(session));
  clock_->Advance(minutes(31));
  EXPECT_THAT(again.Find(session.id), IsOkAndHolds(std::nullopt));
}

}  // namespace
}  // namespace dolmen::examples
