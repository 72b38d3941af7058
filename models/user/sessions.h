// Sessions of signed-in users, which expire.

#pragma once

#include <chrono>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "models/user/entities.h"

namespace dolmen::user {

// The lifetimes of sessions. The end of a session is rounded up to a whole second.
struct SessionLifetimes {
  std::chrono::milliseconds usual = std::chrono::hours(24);
  std::chrono::milliseconds stay_signed_in = std::chrono::hours(24 * 30);
};

struct SessionId {
  std::string user_id = {};
  std::string session_id = {};
};

struct NewSession {
  std::string user_id = {};
  bool stay_signed_in = false;
  std::string session_id = {};  // "" = a new one of 128 random bits
};

// A handle to the sessions in the table. Thread-safe. All methods treat an expired session as
// absent, even before it is deleted. Errors besides the database's own:
// - kResourceNotFound: the session or the user does not exist.
class Sessions {
 public:
  Sessions(EntityTable table, SessionLifetimes lifetimes)
      : table_(std::move(table)), lifetimes_(lifetimes) {}

  // Signs a user in. TransactWriteItems: ConditionCheck USER#<id>/PROFILE with status = active,
  // and Put USER#<id>/SESSION#<sessionId> with attribute_not_exists(PK).
  // - kConditionalCheckFailed: the user is suspended or deleted.
  Result<Session> Start(const NewSession& request) const;

  // Returns a session. GetItem USER#<id>/SESSION#<sessionId>.
  Result<Session> Get(const SessionId& id) const;

  // Returns a user's sessions, in order of their ids. Query PK = USER#<id>, begins_with(SK,
  // SESSION#).
  Result<std::vector<Session>> List(const std::string& user_id) const;

  // Signs a user out of one session. DeleteItem USER#<id>/SESSION#<sessionId>.
  Status End(const SessionId& id) const;

  // Ends all sessions of a user and returns their number. Calls List, then BatchWriteItem with up
  // to 25 deletions in each request. Suspend the user with Users::SetStatus before the call.
  // Otherwise a session can start during the call.
  Result<std::uint64_t> EndAll(const std::string& user_id) const;

 private:
  EntityTable table_;
  SessionLifetimes lifetimes_;
};

}  // namespace dolmen::user
