// Tests of a user's sessions, achievements and connections.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

#include "tests/models/user_fixture.h"

namespace dolmen::user {
namespace {

using std::chrono::hours;
using std::chrono::seconds;
using testing::ElementsAre;

class UserSessionsTest : public UserTest {
 protected:
  std::vector<std::string> SessionsOf(const std::string& user_id) {
    std::vector<std::string> ids;
    for (const Session& session : Value(sessions().List(user_id)))
      ids.push_back(session.session_id);
    return ids;
  }
  std::uint64_t Sweep() { return Value(RawTable().ExpireNow()); }

  const Sessions& sessions() { return store_.sessions; }

  const Session sam_ = {.user_id = "user123",
                        .session_id = "sess-abc",
                        .stays_signed_in = false,
                        .created_at = clock_->Now(),
                        .expires_at = clock_->Now() + hours(24)};
};

TEST_F(UserSessionsTest, TheItemIsThePattern) {
  EXPECT_EQ(Stored("USER#user123", "SESSION#sess-abc"),
            (Item{{"PK", "USER#user123"},
                  {"SK", "SESSION#sess-abc"},
                  {"entityType", "session"},
                  {"userId", "user123"},
                  {"sessionId", "sess-abc"},
                  {"staySignedIn", false},
                  {"createdAt", "2026-04-15T12:00:00.000Z"},
                  {"ttl", 1776340800}}))
      << "2026-04-16T12:00:00Z";
}

TEST_F(UserSessionsTest, GetIsOneGetItem) {
  EXPECT_EQ(Value(sessions().Get({.user_id = "user123", .session_id = "sess-abc"})), sam_);
  EXPECT_EQ(TakeAsked(), (Asked{.operations = {"GetItem"}, .read_units = 0.5}));
  EXPECT_THAT(sessions().Get({.user_id = "abc-123", .session_id = "sess-abc"}),
              StatusIs(StatusCode::kResourceNotFound, HasSubstr("sess-abc")))
      << "the session belongs to another user";
}

TEST_F(UserSessionsTest, AllOfAUser) {
  const std::vector<Session> found = Value(sessions().List("user123"));
  EXPECT_EQ(TakeAsked(), (Asked{.operations = {"Query"}, .read_units = 0.5}));
  ASSERT_EQ(found.size(), 2U);
  EXPECT_EQ(found[0], sam_);
  EXPECT_EQ(found[1].session_id, "sess-def");
  EXPECT_EQ(found[1].expires_at, clock_->Now() + hours(24 * 30)) << "a stay-signed-in session";
}

TEST_F(UserSessionsTest, AnExpiredSessionIsAbsentBeforeAndAfterItIsSwept) {
  const Session id = {.user_id = "user123", .session_id = "sess-abc"};
  clock_->Advance(hours(24));
  EXPECT_THAT(sessions().Get(id), IsOkAndHolds(sam_));
  clock_->Advance(seconds(1));
  for (const std::uint64_t swept : {2U, 0U}) {
    EXPECT_THAT(sessions().Get(id), StatusIs(StatusCode::kResourceNotFound, _));
    EXPECT_THAT(sessions().End(id), StatusIs(StatusCode::kResourceNotFound, _));
    EXPECT_THAT(SessionsOf("user123"), ElementsAre("sess-def"));
    EXPECT_EQ(Sweep(), swept) << "the sessions of Sam and Ann";
  }
}

TEST_F(UserSessionsTest, ANewIdIs128RandomBits) {
  std::set<std::string> ids;
  for (int i = 0; i < 20; ++i) {
    ids.insert(Value(sessions().Start("user123")).session_id);
  }
  EXPECT_EQ(ids.size(), 20U);
  for (const std::string& id : ids) {
    EXPECT_EQ(id.size(), 32U);
    EXPECT_EQ(id.find_first_not_of("0123456789abcdef"), std::string::npos);
  }
}

TEST_F(UserSessionsTest, OnlyActiveUsersSignIn) {
  const Session started = Value(sessions().Start("user123"));
  EXPECT_EQ(TakeAsked(), (Asked{.operations = {"TransactWriteItems"}, .write_units = 4}));
  EXPECT_EQ(Value(sessions().Get({.user_id = "user123", .session_id = started.session_id})),
            started);
  EXPECT_THAT(sessions().Start("nobody"),
              StatusIs(StatusCode::kResourceNotFound, HasSubstr("nobody")));
  for (const UserStatus status : {UserStatus::kSuspended, UserStatus::kDeleted}) {
    ASSERT_THAT(users().SetStatus(Value(users().GetProfile("user123")), status), IsOk());
    EXPECT_THAT(sessions().Start("user123"),
                StatusIs(StatusCode::kConditionalCheckFailed, "the user user123 is not active"));
  }
}

TEST_F(UserSessionsTest, ALifetimeIsRoundedUpToWholeSeconds) {
  clock_->Advance(std::chrono::milliseconds(1));
  const Sessions brief = {.table = Entities(), .usual_lifetime = std::chrono::milliseconds(500)};
  const Session session = Value(brief.Start("user123"));
  EXPECT_EQ(session.expires_at, Time("2026-04-15T12:00:01Z"));
  EXPECT_THAT(brief.Get({.user_id = "user123", .session_id = session.session_id}),
              IsOkAndHolds(session));
}

TEST_F(UserSessionsTest, RenewingRestartsTheLifetime) {
  const Session id = {.user_id = "user123", .session_id = "sess-abc"};
  clock_->Advance(hours(23));
  Session expected = sam_;
  expected.expires_at = clock_->Now() + hours(24);
  EXPECT_EQ(Value(sessions().Renew(id)), expected);
  EXPECT_EQ(TakeAsked(), (Asked{.operations = {"GetItem", "TransactWriteItems"},
                                .read_units = 0.5,
                                .write_units = 4}));
  clock_->Advance(hours(23));
  EXPECT_EQ(Sweep(), 1U) << "Ann's session";
  EXPECT_THAT(sessions().Get(id), IsOkAndHolds(expected));
  const Session stays = {.user_id = "user123", .session_id = "sess-def"};
  EXPECT_EQ(Value(sessions().Renew(stays)).expires_at, clock_->Now() + hours(24 * 30));
}

TEST_F(UserSessionsTest, AnExpiredSessionCannotBeRenewedBeforeOrAfterItIsSwept) {
  const Session id = {.user_id = "user123", .session_id = "sess-abc"};
  clock_->Advance(hours(25));
  EXPECT_THAT(sessions().Renew(id), StatusIs(StatusCode::kResourceNotFound, HasSubstr("sess-abc")));
  EXPECT_EQ(Sweep(), 2U);
  EXPECT_THAT(sessions().Renew(id), StatusIs(StatusCode::kResourceNotFound, _));
}

// A crash between the two writes of SetStatus leaves sessions of a suspended user.
TEST_F(UserSessionsTest, ASessionOfASuspendedUserCannotBeRenewed) {
  ASSERT_THAT(Entities()
                  .Update(Profile{.user_id = "user123"})
                  .Set<&Profile::status>(UserStatus::kSuspended)
                  .Commit(),
              IsOk());
  EXPECT_THAT(sessions().Renew({.user_id = "user123", .session_id = "sess-abc"}),
              StatusIs(StatusCode::kConditionalCheckFailed, "the user user123 is not active"));
}

TEST_F(UserSessionsTest, OpeningAgainFindsTheSessions) {
  EXPECT_THAT(Value(UserStore::Open(database_)).sessions.Get(sam_), IsOkAndHolds(sam_));
}

TEST_F(UserSessionsTest, EndKeepsTheOtherSessions) {
  ASSERT_THAT(sessions().End({.user_id = "user123", .session_id = "sess-abc"}), IsOk());
  EXPECT_EQ(TakeAsked(), (Asked{.operations = {"DeleteItem"}, .write_units = 1}));
  EXPECT_THAT(SessionsOf("user123"), ElementsAre("sess-def"));
  EXPECT_THAT(sessions().End({.user_id = "user123", .session_id = "sess-abc"}),
              StatusIs(StatusCode::kResourceNotFound, _));
}

TEST_F(UserSessionsTest, EndAllKeepsTheSessionsOfOtherUsers) {
  for (int i = 0; i < 28; ++i) ASSERT_THAT(sessions().Start("user123"), IsOk());
  TakeAsked();
  EXPECT_THAT(sessions().EndAll("user123"), IsOk());
  EXPECT_EQ(TakeAsked(), (Asked{.operations = {"Query", "BatchWriteItem", "BatchWriteItem"},
                                .read_units = 1,
                                .write_units = 30}));
  EXPECT_TRUE(SessionsOf("user123").empty());
  EXPECT_THAT(SessionsOf("abc-123"), ElementsAre("sess-ann"));
  EXPECT_THAT(users().GetAccount("user123"), IsOk());
}

class UserAchievementsTest : public UserTest {
 protected:
  // Formats achievements as "user123 badge-1 850".
  static std::vector<std::string> Lines(const std::vector<Achievement>& achievements) {
    std::vector<std::string> lines;
    for (const Achievement& one : achievements) {
      lines.push_back(one.user_id + " " + one.badge + " " + std::to_string(one.score));
    }
    return lines;
  }
  std::vector<std::string> Leaders(Tier tier, const PageInput& page = {}) {
    return Lines(Value(achievements().Leaderboard(tier, page)).items);
  }

  const Achievements& achievements() { return store_.achievements; }
};

TEST_F(UserAchievementsTest, TheItemIsThePattern) {
  const Achievement sam = Value(achievements().List("user123"))[0];
  const std::string shard = std::to_string(sam.shard.number());
  EXPECT_EQ(Stored("USER#user123", "ACHIEVEMENT#badge-1"),
            (Item{{"PK", "USER#user123"},
                  {"SK", "ACHIEVEMENT#badge-1"},
                  {"GSI1PK", "TIER#gold#" + shard},
                  {"GSI1SK", "SCORE#0850"},
                  {"entityType", "achievement"},
                  {"userId", "user123"},
                  {"badge", "badge-1"},
                  {"tier", "gold"},
                  {"score", 850},
                  {"earnedAt", "2026-04-15T12:00:00.000Z"},
                  {"shard", sam.shard.number()}}))
      << "a shard is a part of the published key TIER#gold";
}

TEST_F(UserAchievementsTest, AllOfAUser) {
  EXPECT_THAT(Lines(Value(achievements().List("user456"))),
              ElementsAre("user456 badge-1 95", "user456 badge-2 40", "user456 badge-3 1200"));
  EXPECT_EQ(TakeAsked(), (Asked{.operations = {"Query"}, .read_units = 0.5}));
  EXPECT_TRUE(Value(achievements().List("nobody")).empty());
}

TEST_F(UserAchievementsTest, TheLeaderboardBeginsWithTheHighestScore) {
  EXPECT_THAT(Leaders(Tier::kGold), ElementsAre("user456 badge-3 1200", "user123 badge-1 850",
                                                "abc-123 badge-1 620", "user456 badge-1 95"))
      << "scores sort as numbers, not as texts";
  EXPECT_EQ(TakeAsked(), (Asked{.operations = {"Query"}, .read_units = 2})) << "four shards";
  EXPECT_THAT(Leaders(Tier::kSilver), ElementsAre("abc-123 badge-2 300"));
}

TEST_F(UserAchievementsTest, TheLeaderboardReturnsPages) {
  PageInput page = {.limit = 3};
  const EntityPage<Achievement> first = Value(achievements().Leaderboard(Tier::kGold, page));
  EXPECT_EQ(TakeAsked(), (Asked{.operations = {"Query"}, .read_units = 2})) << "four shards";
  EXPECT_THAT(Lines(first.items),
              ElementsAre("user456 badge-3 1200", "user123 badge-1 850", "abc-123 badge-1 620"));
  page.cursor = first.next_cursor;
  const EntityPage<Achievement> second = Value(achievements().Leaderboard(Tier::kGold, page));
  EXPECT_THAT(Lines(second.items), ElementsAre("user456 badge-1 95"));
  EXPECT_EQ(second.next_cursor, "");
  page.cursor = "no cursor";
  EXPECT_THAT(achievements().Leaderboard(Tier::kGold, page), StatusIs(StatusCode::kValidation, _));
  EXPECT_THAT(achievements().Leaderboard(Tier::kGold, {.limit = 0}),
              StatusIs(StatusCode::kValidation, _));
}

TEST_F(UserAchievementsTest, TheRankIsOnePlusTheBadgesWithAHigherScore) {
  EXPECT_THAT(achievements().Rank({.user_id = "abc-123", .badge = "badge-1"}), IsOkAndHolds(3U));
  EXPECT_EQ(TakeAsked(), (Asked{.operations = {"GetItem", "Query"}, .read_units = 2.5}));
  ASSERT_THAT(achievements().Award(
                  {.user_id = "user123", .badge = "tie", .tier = Tier::kGold, .score = 620}),
              IsOk());
  for (const char* user_id : {"abc-123", "user123"}) {
    const char* badge = user_id == std::string("user123") ? "tie" : "badge-1";
    EXPECT_THAT(achievements().Rank({.user_id = user_id, .badge = badge}), IsOkAndHolds(3U));
  }
  EXPECT_THAT(achievements().Rank({.user_id = "user456", .badge = "badge-1"}), IsOkAndHolds(5U));
  EXPECT_THAT(achievements().Rank({.user_id = "user456", .badge = "none"}),
              StatusIs(StatusCode::kResourceNotFound, HasSubstr("none")));
}

TEST_F(UserAchievementsTest, AroundReturnsTheNeighboursOfABadge) {
  const auto around = [&](const std::string& user_id, const std::string& badge) {
    return Lines(Value(achievements().Around({.user_id = user_id, .badge = badge}, 1)));
  };
  EXPECT_THAT(around("user123", "badge-1"),
              ElementsAre("user456 badge-3 1200", "user123 badge-1 850", "abc-123 badge-1 620"));
  EXPECT_EQ(TakeAsked(), (Asked{.operations = {"GetItem", "Query", "Query"}, .read_units = 4.5}));
  EXPECT_THAT(around("user456", "badge-3"),
              ElementsAre("user456 badge-3 1200", "user123 badge-1 850"));
  EXPECT_THAT(around("user456", "badge-1"),
              ElementsAre("abc-123 badge-1 620", "user456 badge-1 95"));
  for (int i = 0; i < 5; ++i) {
    ASSERT_THAT(achievements().Award({.user_id = "user123",
                                      .badge = "tie-" + std::to_string(i),
                                      .tier = Tier::kGold,
                                      .score = 620}),
                IsOk());
  }
  EXPECT_THAT(around("abc-123", "badge-1"),
              ElementsAre("user123 badge-1 850", "abc-123 badge-1 620", testing::EndsWith(" 620")));
}

TEST_F(UserAchievementsTest, AwardingABadgeTwiceIsRejected) {
  ASSERT_THAT(achievements().Award(
                  {.user_id = "abc-123", .badge = "badge-9", .tier = Tier::kBronze, .score = 10}),
              IsOk());
  EXPECT_EQ(TakeAsked(), (Asked{.operations = {"TransactWriteItems"}, .write_units = 6}));
  EXPECT_THAT(achievements().Award({.user_id = "abc-123", .badge = "badge-9", .score = 20}),
              StatusIs(StatusCode::kResourceInUse, HasSubstr("badge-9")));
  EXPECT_THAT(Leaders(Tier::kBronze), ElementsAre("user456 badge-2 40", "abc-123 badge-9 10"));
}

TEST_F(UserAchievementsTest, ANewScoreMovesABadgeInTheLeaderboard) {
  const Achievement moved = Value(achievements().SetScore(
      {.user_id = "abc-123", .badge = "badge-2", .tier = Tier::kGold, .score = 9999}));
  EXPECT_EQ(TakeAsked(), (Asked{.operations = {"UpdateItem"}, .write_units = 3}))
      << "the item 1, its old and its new index entry 2";
  EXPECT_EQ(moved.score, 9999);
  EXPECT_THAT(Leaders(Tier::kGold, {.limit = 1}), ElementsAre("abc-123 badge-2 9999"));
  EXPECT_TRUE(Leaders(Tier::kSilver).empty());
  EXPECT_THAT(achievements().SetScore({.user_id = "abc-123", .badge = "none"}),
              StatusIs(StatusCode::kResourceNotFound, HasSubstr("none")));
}

TEST_F(UserAchievementsTest, ScoresAndTiersOutOfRangeAreRejected) {
  for (const std::int64_t score : {-1, 10000}) {
    EXPECT_THAT(achievements().Award({.user_id = "abc-123", .badge = "new", .score = score}),
                StatusIs(StatusCode::kValidation, HasSubstr("score")));
    EXPECT_THAT(achievements().SetScore({.user_id = "abc-123", .badge = "badge-1", .score = score}),
                StatusIs(StatusCode::kValidation, HasSubstr("score")));
  }
  EXPECT_THAT(
      achievements().Award({.user_id = "abc-123", .badge = "new", .tier = static_cast<Tier>(9)}),
      StatusIs(StatusCode::kValidation, HasSubstr("tier")));
  EXPECT_EQ(Value(achievements().List("abc-123")).size(), 2U);
}

class UserConnectionsTest : public UserTest {
 protected:
  static std::vector<std::string> Lines(const EntityPage<Connection>& page) {
    std::vector<std::string> lines;
    for (const Connection& one : page.items) lines.push_back(one.user_id + " -> " + one.other_id);
    return lines;
  }

  const Connections& connections() { return store_.connections; }
};

TEST_F(UserConnectionsTest, TheItemIsThePattern) {
  EXPECT_EQ(Stored("CONNECTION#user123", "TARGET#user456"),
            (Item{{"PK", "CONNECTION#user123"},
                  {"SK", "TARGET#user456"},
                  {"GSI1PK", "CONNECTION#user456"},
                  {"GSI1SK", "SOURCE#user123"},
                  {"entityType", "connection"},
                  {"userId", "user123"},
                  {"otherId", "user456"},
                  {"createdAt", "2026-04-15T12:00:00.000Z"}}));
}

TEST_F(UserConnectionsTest, ListTargetsIsOneQuery) {
  ASSERT_THAT(connections().Connect({"user123", "abc-123"}), IsOk());
  EXPECT_EQ(TakeAsked(), (Asked{.operations = {"PutItem"}, .write_units = 2}));
  EXPECT_THAT(Lines(Value(connections().ListTargets("user123"))),
              ElementsAre("user123 -> abc-123", "user123 -> user456"));
  EXPECT_EQ(TakeAsked(), (Asked{.operations = {"Query"}, .read_units = 0.5}));
}

TEST_F(UserConnectionsTest, ListSourcesIsOneQueryOfTheIndex) {
  EXPECT_THAT(Lines(Value(connections().ListSources("user456"))),
              ElementsAre("abc-123 -> user456", "user123 -> user456"));
  EXPECT_EQ(TakeAsked(), (Asked{.operations = {"Query"}, .read_units = 0.5}));
  EXPECT_TRUE(Value(connections().ListSources("abc-123")).items.empty());
}

TEST_F(UserConnectionsTest, AConnectionHasADirection) {
  EXPECT_NE(Value(connections().Find({"abc-123", "user456"})), std::nullopt);
  EXPECT_EQ(Value(connections().Find({"user456", "abc-123"})), std::nullopt);
  EXPECT_EQ(TakeAsked(), (Asked{.operations = {"GetItem", "GetItem"}, .read_units = 1}));
}

TEST_F(UserConnectionsTest, DisconnectRemovesTheConnectionFromBothEnds) {
  ASSERT_THAT(connections().Disconnect({"user123", "user456"}), IsOk());
  EXPECT_EQ(TakeAsked(), (Asked{.operations = {"DeleteItem"}, .write_units = 2}));
  EXPECT_TRUE(Value(connections().ListTargets("user123")).items.empty());
  EXPECT_THAT(Lines(Value(connections().ListSources("user456"))),
              ElementsAre("abc-123 -> user456"));
  EXPECT_NE(Value(connections().Find({"user456", "user123"})), std::nullopt)
      << "the other direction is a separate connection";
  EXPECT_THAT(connections().Disconnect({"user123", "user456"}),
              StatusIs(StatusCode::kResourceNotFound, _));
}

TEST_F(UserConnectionsTest, ConnectRejectsMalformedAndExistingConnections) {
  EXPECT_THAT(connections().Connect({"user123", "user456"}),
              StatusIs(StatusCode::kResourceInUse, HasSubstr("user456")));
  EXPECT_THAT(connections().Connect({"user123", "user123"}),
              StatusIs(StatusCode::kValidation, HasSubstr("user123")));
  EXPECT_THAT(connections().Connect({"user123", ""}),
              StatusIs(StatusCode::kValidation, HasSubstr("otherId")));
}

}  // namespace
}  // namespace dolmen::user
