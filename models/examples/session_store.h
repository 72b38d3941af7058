// Sessions that end by themselves: tokens with a time to live.
//
// DynamoDB deletes what has expired some time later, and until then everybody who reads has to look
// at the time.  Here the table hides it (hide_expired), so that an expired session is as absent as
// one that never was: to reads, and to the condition of a renewal.

#pragma once

#include <dolmen/dolmen.h>

#include <chrono>
#include <optional>
#include <string>

namespace dolmen::examples {

struct Session {
  std::string id = {};  // whoever knows it is the user
  std::string user_id = {};
  Timestamp expires_at = {};  // a whole second, up to and including which it lives

  friend bool operator==(const Session&, const Session&) = default;
};

// Callable from any number of threads.  Times are those of the database's clock.
class SessionStore {
 public:
  // Makes the table `sessions` if there is none.  A session lives for `lifetime`, rounded up to
  // whole seconds, from when it was made or renewed last.
  static Result<SessionStore> Open(const Database& database,
                                   std::chrono::milliseconds lifetime = std::chrono::minutes(30));

  // PutItem with attribute_not_exists(id).
  Result<Session> Create(const std::string& user_id) const;

  // GetItem.  Nothing, too, if it has expired.
  Result<std::optional<Session>> Find(const std::string& id) const;

  // UpdateItem expiresAt with attribute_exists(id).
  // kResourceNotFound: there is no such session, or it has expired.
  Result<Session> Renew(const std::string& id) const;

  // DeleteItem.  Success, too, if there is no such session.  One that has expired is left to be
  // swept, and would live again with a clock that goes back before that.
  Status Revoke(const std::string& id) const;

 private:
  SessionStore(Table table, std::shared_ptr<Clock> clock, std::chrono::milliseconds lifetime);

  Timestamp ExpiryFromNow() const;

  Table table_;
  std::shared_ptr<Clock> clock_;
  std::chrono::milliseconds lifetime_;
};

}  // namespace dolmen::examples
