// Sessions of signed-in users, which expire.

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
      const Timestamp end = EndOf(stays_signed_in);
      const Session session = {user_id, secret, stays_signed_in, table.Now(), end};
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

}  // namespace dolmen::user
