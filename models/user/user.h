// The user model of README.md: everything about users in one table. A UserStore opens the table
// and holds one repository for each kind of data.

#pragma once

#include <dolmen/database.h>

#include "models/user/achievements.h"
#include "models/user/cache.h"
#include "models/user/circuits.h"
#include "models/user/connections.h"
#include "models/user/rate_limits.h"
#include "models/user/sessions.h"
#include "models/user/settings.h"
#include "models/user/users.h"

namespace dolmen::user {

struct UserOptions {
  EmailNormalization normalization = {};  // fixed when the table is created
  SessionLifetimes session_lifetimes = {};
  RequestObserver observer = {};
};

// A handle to the table of users, with a repository for each kind of data. Thread-safe.
class UserStore {
 public:
  // Opens the table `user` in `database`, and creates it if it does not exist (PK, SK, GSI1, time
  // to live).
  // - kValidation: the table was created with different normalisation rules.
  static Result<UserStore> Open(const Database& database, const UserOptions& options = {});

  const Users& users() const DOLMEN_LIFETIME_BOUND { return users_; }
  const Sessions& sessions() const DOLMEN_LIFETIME_BOUND { return sessions_; }
  const Achievements& achievements() const DOLMEN_LIFETIME_BOUND { return achievements_; }
  const Connections& connections() const DOLMEN_LIFETIME_BOUND { return connections_; }
  const RateLimits& rate_limits() const DOLMEN_LIFETIME_BOUND { return rate_limits_; }
  const Circuits& circuits() const DOLMEN_LIFETIME_BOUND { return circuits_; }
  const Cache& cache() const DOLMEN_LIFETIME_BOUND { return cache_; }
  const Settings& settings() const DOLMEN_LIFETIME_BOUND { return settings_; }

 private:
  UserStore(const EntityTable& table, const UserOptions& options);

  Users users_;
  Sessions sessions_;
  Achievements achievements_;
  Connections connections_;
  RateLimits rate_limits_;
  Circuits circuits_;
  Cache cache_;
  Settings settings_;
};

}  // namespace dolmen::user
