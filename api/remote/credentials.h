// Credentials, and a cache that refreshes them before they expire.

#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "dolmen/clock.h"
#include "dolmen/result.h"
#include "engine/base/mutex.h"

namespace dolmen::remote {

struct Credentials {
  std::string access_key_id = {};
  std::string secret_access_key = {};
  std::string session_token = {};                   // empty: none
  std::optional<Timestamp> expires = std::nullopt;  // nothing: never
};

// A source of credentials. Is called by one thread at a time. May ask a service.
// - kValidation: the source has no credentials; the message says why.
using CredentialSource = std::function<Result<Credentials>()>;

// The credentials of a source. Thread-safe.
class CredentialCache {
 public:
  explicit CredentialCache(CredentialSource source) : source_(std::move(source)) {}

  // Returns credentials that are valid at `now`. From 5 minutes before they expire, one thread asks the
  // source, at most once a minute, while the other threads use the old credentials. All threads wait if
  // no valid credentials are left.
  // - any error of the source, if no valid credentials are left.
  Result<std::shared_ptr<const Credentials>> Get(Timestamp now);

  // Drops credentials that the service has rejected as expired, if they are current. Returns false if
  // the source has no others, because they never expire.
  bool Drop(const std::shared_ptr<const Credentials>& rejected);

 private:
  bool IsUsable(Timestamp now) const DOLMEN_REQUIRES(mutex_);
  bool IsDue(Timestamp now) const DOLMEN_REQUIRES(mutex_);
  Result<std::shared_ptr<const Credentials>> Fetch(Timestamp now);

  const CredentialSource source_;
  Mutex mutex_;
  ConditionVariable fetched_;
  bool fetching_ DOLMEN_GUARDED_BY(mutex_) = false;
  Timestamp next_fetch_ DOLMEN_GUARDED_BY(mutex_) = {};
  Status error_ DOLMEN_GUARDED_BY(mutex_) = {};  // of the latest fetch
  std::shared_ptr<const Credentials> current_ DOLMEN_GUARDED_BY(mutex_) = nullptr;
};

}  // namespace dolmen::remote
