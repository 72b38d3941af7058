// The user model of README.md: everything about users in one table. A UserStore opens the table
// and holds one repository for each kind of data. Cached values and settings need no repository,
// because each of their requests is one call of the table:
//
//   const Timestamp end = store.table.Now() + std::chrono::seconds(10);
//   store.table.Put(CachedValue{.name = "feed", .value = "[1,2]", .expires_at = end});
//   store.table.Find(CachedValue{.name = "feed"});  // nothing once it has expired
//
//   store.table.Put(Setting{.scope = "mail", .name = "retries", .value = 3});
//   store.table.Get(Setting{.scope = "mail", .name = "retries"});
//   store.table.Query<Setting>().With<&Setting::scope>("mail").All();

#pragma once

#include "models/user/belongings.h"
#include "models/user/limits.h"

namespace dolmen::user {

// A handle to the table of users, with a repository for each kind of data. Thread-safe.
struct UserStore {
  // Opens the table `user` in `database`, and creates it if it does not exist (PK, SK, GSI1, GSI2,
  // time to live). Calls `observer`, if given, after each request.
  static Result<UserStore> Open(const Database& database, const RequestObserver& observer = {}) {
    return EntityTable::Open(database, {.name = "user",
                                        .indexes = {"GSI1", "GSI2"},
                                        .time_to_live = std::string(kTimeToLive),
                                        .observer = observer})
        .transform([](const EntityTable& opened) { return UserStore{opened}; });
  }

  EntityTable table;
  Users users{table};
  Sessions sessions{table};
  Achievements achievements{table};
  Connections connections{table};
  RateLimits rate_limits{table};
  Circuits circuits{table};

  // Stores the rules by which an organisation compares addresses, before its first user. The rules
  // never change, because addresses that were stored under other rules would not be found.
  // - kResourceInUse: the organisation has rules already.
  Result<EmailRules> KeepEmailRules(const EmailRules& rules) const { return table.Create(rules); }

  // Returns a handle to the accounts that applies the rules of an organisation. An address has one
  // owner in the whole table. GetItem CONFIG#<organisation>/EMAILRULES.
  // - kResourceNotFound: the organisation has no rules.
  Result<Users> UsersOf(const std::string& organisation) const {
    return table.Get(EmailRules{.organisation = organisation}).transform([&](const auto& rules) {
      return Users{table, rules};
    });
  }
};

}  // namespace dolmen::user
