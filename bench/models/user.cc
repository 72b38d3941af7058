// The access patterns of models/user. A fifth of the size is the number of users. Each user has a
// profile, an address and its claim, a session, a badge and a connection.

#include "models/user/user.h"

#include "bench/models/models.h"
#include "dolmen/benchmark.h"

namespace dolmen::bench {
namespace {

using user::UserStore;

std::string UserOf(BenchmarkCall call) { return Id('u', call.number % (call.size / 5)); }
std::string AddressOf(const std::string& id) { return id + "@example.com"; }

Status LoadUser(const UserStore& store, std::size_t number, std::size_t users) {
  const std::string id = Id('u', number);
  Status loaded = store.users.Create({.user_id = id, .email = AddressOf(id)}, "e1").status();
  const Timestamp end = store.table.Now() + std::chrono::hours(24);
  const Timestamp now = store.table.Now();
  if (loaded.ok()) {
    loaded = store.table
                 .Put(user::Session{
                     .user_id = id, .session_id = "s1", .created_at = now, .expires_at = end})
                 .status();
  }
  const auto score = static_cast<std::int64_t>(number % 10'000);
  const user::Achievement badge = {.user_id = id, .badge = "b1", .score = score, .earned_at = now};
  if (loaded.ok()) loaded = store.achievements.Award(badge);
  if (!loaded.ok()) return loaded;
  return store.connections.Connect({.user_id = id, .other_id = Id('u', (number + 1) % users)})
      .status();
}

Status Load(const UserStore& store, std::size_t size) {
  for (std::size_t number = 0; number < size / 5; ++number) {
    if (Status loaded = LoadUser(store, number, size / 5); !loaded.ok()) return loaded;
  }
  return {};
}

void AddAccounts(ModelBenchmark<UserStore>* rows) {
  rows->Pattern("profile", [](const UserStore& store, BenchmarkCall call) {
    return store.users.GetProfile(UserOf(call));
  });
  rows->Pattern("account", [](const UserStore& store, BenchmarkCall call) {
    return store.users.GetAccount(UserOf(call));
  });
  rows->Pattern("addresses of a user", [](const UserStore& store, BenchmarkCall call) {
    return store.users.ListEmails(UserOf(call));
  });
  rows->Pattern("e-mail record of an address", [](const UserStore& store, BenchmarkCall call) {
    return store.users.FindEmailRecord(AddressOf(UserOf(call)));
  });
  rows->Pattern("profile by address", [](const UserStore& store, BenchmarkCall call) {
    return store.users.FindByPrimaryEmail(AddressOf(UserOf(call)));
  });
  rows->Pattern("register a user", [](const UserStore& store, BenchmarkCall call) {
    const std::string id = Id('w', call.number);
    return store.users.Create({.user_id = id, .email = AddressOf(id)});
  });
}

void AddSessions(ModelBenchmark<UserStore>* rows) {
  rows->Pattern("session", [](const UserStore& store, BenchmarkCall call) {
    return store.sessions.Get({.user_id = UserOf(call), .session_id = "s1"});
  });
  rows->Pattern("sessions of a user", [](const UserStore& store, BenchmarkCall call) {
    return store.sessions.List(UserOf(call));
  });
  rows->Pattern("renew a session", [](const UserStore& store, BenchmarkCall call) {
    return store.sessions.Renew({.user_id = UserOf(call), .session_id = "s1"});
  });
}

void AddBelongings(ModelBenchmark<UserStore>* rows) {
  rows->Pattern("badges of a user", [](const UserStore& store, BenchmarkCall call) {
    return store.achievements.List(UserOf(call));
  });
  rows->Pattern("leaderboard", [](const UserStore& store) {
    return store.achievements.Leaderboard(user::Tier::kBronze);
  });
  rows->Pattern("around a score", [](const UserStore& store, BenchmarkCall call) {
    return store.achievements.Around({.user_id = UserOf(call), .badge = "b1"}, 5);
  });
  rows->Pattern("is connected", [](const UserStore& store, BenchmarkCall call) {
    return store.connections.Find({.user_id = UserOf(call), .other_id = "u1"});
  });
  rows->Pattern("targets of a user", [](const UserStore& store, BenchmarkCall call) {
    return store.connections.ListTargets(UserOf(call));
  });
  rows->Pattern("sources of a user", [](const UserStore& store, BenchmarkCall call) {
    return store.connections.ListSources(UserOf(call));
  });
}

void AddLimits(ModelBenchmark<UserStore>* rows) {
  rows->Pattern("rate limit", [](const UserStore& store, BenchmarkCall call) {
    return store.rate_limits.Hit(UserOf(call), {.hits_max = 1'000'000});
  });
  rows->Pattern("token bucket", [](const UserStore& store, BenchmarkCall call) {
    return store.rate_limits.Take(UserOf(call), {.tokens_max = 1'000});
  });
  rows->Pattern("circuit",
                [](const UserStore& store) { return store.circuits.MayCall("mail", {}); });
  rows->Pattern("cache a value", [](const UserStore& store, BenchmarkCall call) {
    const Timestamp end = store.table.Now() + std::chrono::hours(1);
    return store.table.Put(
        user::CachedValue{.name = UserOf(call), .value = "value", .expires_at = end});
  });
}

}  // namespace

void AddUser() {
  ModelBenchmark<UserStore> rows(
      {.name = "user", .open = UserStore::Open, .load = Load, .sizes = ModelSizes()});
  AddAccounts(&rows);
  AddSessions(&rows);
  AddBelongings(&rows);
  AddLimits(&rows);
}

}  // namespace dolmen::bench
