// The sessions, badges and connections of users.

#pragma once

#include "models/user/users.h"

namespace dolmen::user {

// A handle to the sessions in the table. Thread-safe. All methods treat an expired session as
// absent, even before it is deleted. A Session that is a `key` needs only user_id and session_id.
// Errors besides the database's own:
// - kResourceNotFound: the session or the user does not exist.
// - kConditionalCheckFailed: the user is suspended or deleted.
struct Sessions {
  EntityTable table;

  // The time for which a session lives. Its end is rounded up to a whole second.
  std::chrono::milliseconds usual_lifetime = std::chrono::hours(24);
  std::chrono::milliseconds long_lifetime = std::chrono::days(30);  // if the user stays signed in

  // Signs a user in. The session's id is a secret of 128 random bits. TransactWriteItems: Put
  // USER#<id>/SESSION#<sessionId> with attribute_not_exists(PK), and ConditionCheck USER#<id>/PROFILE
  // with status = active.
  Result<Session> Start(const std::string& user_id, bool stays_signed_in = false) const {
    return NewSecret().and_then([&](const std::string& secret) {
      const Timestamp now = table.Now();
      const Session session = {user_id, secret, stays_signed_in, now, EndOf(stays_signed_in)};
      return CommitIfActive(table.Transact().Create(session), session);
    });
  }

  // Returns a session. GetItem USER#<id>/SESSION#<sessionId>.
  Result<Session> Get(const Session& key) const { return table.Get(key); }

  // Gives a session its whole lifetime again. Get, then TransactWriteItems: Update ttl, and
  // ConditionCheck USER#<id>/PROFILE with status = active.
  Result<Session> Renew(const Session& key) const {
    return Get(key).and_then([&](Session session) {
      session.expires_at = EndOf(session.stays_signed_in);
      const auto renewal = Changes<Session>().Set<&Session::expires_at>(session.expires_at);
      return CommitIfActive(table.Transact().Update(session, renewal), session);
    });
  }

  // Returns a user's sessions, in order of their ids. Query PK = USER#<id>, begins_with(SK,
  // SESSION#).
  Result<std::vector<Session>> List(const std::string& user_id) const {
    return table.Query<Session>().With<&Session::user_id>(user_id).All();
  }

  // Signs a user out of one session. DeleteItem USER#<id>/SESSION#<sessionId>.
  Status End(const Session& key) const { return table.Remove(key); }

  // Signs a user out everywhere. List, then BatchWriteItem with up to 25 deletions in each request.
  // Users::SetStatus suspends a user first, so that no session starts during the call.
  Status EndAll(const std::string& user_id) const {
    return RemoveAll(table, table.Query<Session>().With<&Session::user_id>(user_id));
  }

  // Returns the end of a session that starts or is renewed now.
  Timestamp EndOf(bool stays_signed_in) const {
    const auto lifetime = stays_signed_in ? long_lifetime : usual_lifetime;
    return std::chrono::ceil<std::chrono::seconds>(table.Now() + lifetime);
  }
};

// A handle to the badges in the table. Thread-safe. An Achievement that is a `key` needs only user_id
// and badge. In GSI1 a badge has the key TIER#<tier>#<shard>/SCORE#<four digits>. Each read of a
// leaderboard is one Query of all shards. Errors besides the database's own:
// - kResourceNotFound: the user does not exist, or does not have the badge.
// - kResourceInUse: the user has the badge already.
// - kValidation: a score is not from 0 to 9999, or an id is empty or holds a '#'.
struct Achievements {
  EntityTable table;

  // Gives a badge to a user. TransactWriteItems: Put USER#<id>/ACHIEVEMENT#<badge> with
  // attribute_not_exists(PK), and ConditionCheck USER#<id>/PROFILE with status = active.
  // - kConditionalCheckFailed: the user is suspended or deleted.
  Status Award(const Achievement& achievement) const {
    return CommitIfActive(table.Transact().Create(achievement), achievement).status();
  }

  // Changes a badge's tier and score, which changes the badge's key in GSI1. UpdateItem
  // USER#<id>/ACHIEVEMENT#<badge>.
  Result<Achievement> SetScore(const Achievement& change) const {
    return table.Update(change)
        .Set<&Achievement::tier>(change.tier)
        .Set<&Achievement::score>(change.score)
        .Commit();
  }

  // Returns a user's badges, sorted by badge. Query PK = USER#<id>, begins_with(SK, ACHIEVEMENT#).
  Result<std::vector<Achievement>> List(const std::string& user_id) const {
    return table.Query<Achievement>().With<&Achievement::user_id>(user_id).All();
  }

  // Returns a page of a tier's badges, the highest score first. Query GSI1, ScanIndexForward = false.
  Result<EntityPage<Achievement>> Leaderboard(Tier tier, PageInput page = {}) const {
    return OfTier(tier).Backward().Page(std::move(page));
  }

  // Returns the rank of a badge in its tier: 1 plus the number of badges with a higher score. GetItem,
  // then Query GSI1 with GSI1SK > SCORE#<score>, Select = COUNT, which reads all of these badges.
  Result<std::uint64_t> Rank(const Achievement& key) const {
    return table.Get(key)
        .and_then([&](const Achievement& mine) {
          return OfTier(mine.tier).After<&Achievement::score>(mine.score).Count();
        })
        .transform([](std::uint64_t higher) { return higher + 1; });
  }

  // Returns a badge with its neighbours in the leaderboard, the highest score first: up to `count`
  // badges with a higher score, the badge, and up to `count` others. GetItem and two Queries of GSI1.
  Result<std::vector<Achievement>> Around(const Achievement& key, std::uint32_t count) const {
    return table.Get(key).and_then([&](const Achievement& mine) {
      const auto higher = OfTier(mine.tier).After<&Achievement::score>(mine.score).Limit(count);
      auto lower = OfTier(mine.tier).AtMost<&Achievement::score>(mine.score).Backward();
      return higher.All().and_then([&](std::vector<Achievement> around) {
        std::ranges::reverse(around);
        around.push_back(mine);
        return lower.Limit(count + 1).All().transform([&](std::vector<Achievement> others) {
          std::erase(others, mine);
          others.resize(std::min<std::size_t>(others.size(), count));
          around.insert(around.end(), others.begin(), others.end());
          return around;
        });
      });
    });
  }

  // Starts a query of a leaderboard.
  EntityQuery<Achievement> OfTier(Tier tier) const {
    auto query = table.Query<Achievement>("GSI1").With<&Achievement::tier>(tier);
    return query.AllShards<&Achievement::shard>();
  }
};

// A handle to the connections in the table. Thread-safe.
//
// A connection leads from a first user (user_id) to a second user (other_id) and is one item. The
// table lists the item under the first user, and GSI1 lists it under the second user. Connect does
// not check that the users exist, because another service can store them.
//
// Errors besides the database's own:
// - kResourceNotFound: the users are not connected.
// - kResourceInUse: the users are connected already.
// - kValidation: an id is empty or holds a '#', or both ids are the same.
struct Connections {
  EntityTable table;

  // Connects two users. PutItem CONNECTION#<user>/TARGET#<other> with attribute_not_exists(PK). In
  // GSI1 the item has the key CONNECTION#<other>/SOURCE#<user>.
  Result<Connection> Connect(const Connection& connection) const {
    if (connection.user_id == connection.other_id)
      return Status::Validation(connection.user_id + " cannot be connected to itself");
    return table.Create(connection);
  }

  // Deletes a connection. DeleteItem CONNECTION#<user>/TARGET#<other>.
  Status Disconnect(const Connection& connection) const { return table.Remove(connection); }

  // Returns the connection, or nothing. GetItem CONNECTION#<user>/TARGET#<other>.
  Result<std::optional<Connection>> Find(const Connection& connection) const {
    return table.Find(connection);
  }

  // Returns a page of the connections that lead from a user, sorted by the ids of the second users.
  // Query PK = CONNECTION#<user>, begins_with(SK, TARGET#), Limit.
  Result<EntityPage<Connection>> ListTargets(const std::string& user, PageInput page = {}) const {
    return table.Query<Connection>().With<&Connection::user_id>(user).Page(std::move(page));
  }

  // Returns a page of the connections that lead to a user, sorted by the ids of the first users.
  // Query GSI1 with GSI1PK = CONNECTION#<user>, begins_with(GSI1SK, SOURCE#), Limit.
  Result<EntityPage<Connection>> ListSources(const std::string& user, PageInput page = {}) const {
    return table.Query<Connection>("GSI1").With<&Connection::other_id>(user).Page(std::move(page));
  }
};

}  // namespace dolmen::user
