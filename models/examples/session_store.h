// Sessions that expire: tokens with a time to live.
//
// DynamoDB deletes an expired item some time after its expiry. Until the deletion, each reader must
// check the time itself. This table has the option hide_expired, so expired items are invisible to
// reads and to the condition of a renewal.

#pragma once

#include <dolmen/dolmen.h>

#include <chrono>
#include <optional>
#include <string>

namespace dolmen::examples {

struct Session {
  std::string id = {};  // a secret: it proves that its holder is the user
  std::string user_id = {};
  Timestamp expires_at = {};  // a whole second, the last one in which the session is valid

  friend bool operator==(const Session&, const Session&) = default;
};

// The table of sessions. Thread-safe. Times come from the database's clock.
class SessionStore {
 public:
  // Opens the table `sessions`, and creates it if it does not exist. A session lives for
  // `lifetime`, rounded up to whole seconds, after it was created or last renewed.
  static Result<SessionStore> Open(const Database& database,
                                   std::chrono::milliseconds lifetime = std::chrono::minutes(30));

  // Creates a session. PutItem with attribute_not_exists(id).
  Result<Session> Create(const std::string& user_id) const;

  // Returns the session; nothing if it does not exist or has expired. GetItem.
  Result<std::optional<Session>> Find(const std::string& id) const;

  // Renews a session: UpdateItem sets expiresAt, with the condition attribute_exists(id).
  // - kResourceNotFound: the session does not exist or has expired.
  Result<Session> Renew(const std::string& id) const;

  // Deletes a session. Succeeds if it does not exist. DeleteItem. Does not delete a session that
  // has expired before the call: the database deletes expired items later, in a sweep. If the clock
  // goes back to a time before the expiry, the session is valid again until the sweep.
  Status Revoke(const std::string& id) const;

 private:
  SessionStore(Table table, SharedClock clock, std::chrono::milliseconds lifetime);

  Timestamp ExpiryFromNow() const;

  Table table_;
  SharedClock clock_;
  std::chrono::milliseconds lifetime_;
};

}  // namespace dolmen::examples
