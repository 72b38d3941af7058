// Who is signed in, and until when.

#pragma once

#include <chrono>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "models/user/entities.h"

namespace dolmen::user {

// How long a session lives, rounded up to whole seconds.
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
  std::string session_id = {};  // "" = a new one, of 128 bits that nobody can guess
};

// A handle; callable from any number of threads.  A session that has expired is absent to all of
// it, deleted or not.  kResourceNotFound: there is no such session, or user.
class Sessions {
 public:
  Sessions(EntityTable table, SessionLifetimes lifetimes)
      : table_(std::move(table)), lifetimes_(lifetimes) {}

  // TransactWriteItems: ConditionCheck USER#<id>/PROFILE with status = active, and Put
  // USER#<id>/SESSION#<sessionId> with attribute_not_exists(PK).
  // kConditionalCheckFailed: the user is suspended or deleted.
  Result<Session> Start(const NewSession& request) const;

  // GetItem USER#<id>/SESSION#<sessionId>.
  Result<Session> Get(const SessionId& id) const;

  // Query PK = USER#<id>, begins_with(SK, SESSION#).  In order of the ids.
  Result<std::vector<Session>> List(const std::string& user_id) const;

  // DeleteItem USER#<id>/SESSION#<sessionId>.
  Status End(const SessionId& id) const;

  // List, then BatchWriteItem with 25 Delete each.  Returns how many there were.  None can be
  // started behind it by a user who has been suspended before.
  Result<std::uint64_t> EndAll(const std::string& user_id) const;

 private:
  EntityTable table_;
  SessionLifetimes lifetimes_;
};

}  // namespace dolmen::user
