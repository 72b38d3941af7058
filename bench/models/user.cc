// The access patterns of models/user. A fifth of the size is the number of users. Each user has a
// profile, an address and its claim, a session, a badge and a connection. The patterns write to the
// users "writer" and "collector".

#include "models/user/user.h"

#include <algorithm>

#include "bench/models/models.h"
#include "dolmen/design/benchmark.h"

namespace dolmen::bench {
namespace {

using user::UserStore;

constexpr std::size_t kScores = 10'000;
const std::string kWriter = "writer";
const std::string kCollector = "collector";  // has ever more badges, and had sessions

std::string UserOf(BenchmarkCall call) { return Id('u', call.number % (call.size / 5)); }
std::string AddressOf(const std::string& id) { return id + "@example.com"; }

// Returns a badge of a leaderboard that no pattern reads.
user::Achievement CollectedBadge(const std::string& badge, std::int64_t score = 0) {
  return {.user_id = kCollector, .badge = badge, .tier = user::Tier::kGold, .score = score};
}

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
  const auto score = static_cast<std::int64_t>(number % kScores);
  const user::Achievement badge = {.user_id = id, .badge = "b1", .score = score, .earned_at = now};
  if (loaded.ok()) loaded = store.achievements.Award(badge);
  if (!loaded.ok()) return loaded;
  return store.connections.Connect({.user_id = id, .other_id = Id('u', (number + 1) % users)})
      .status();
}

// Loads the users to which the patterns write, some settings and a cached value.
Status LoadWritten(const UserStore& store) {
  const user::Email other = {.user_id = kWriter, .email_id = "e3", .email = "w3@example.com"};
  Status loaded;
  for (const std::string& id : {kWriter, kCollector}) {
    if (loaded.ok())
      loaded = store.users.Create({.user_id = id, .email = AddressOf(id)}, "e1").status();
  }
  if (loaded.ok()) loaded = store.users.AddEmail(other).status();
  if (loaded.ok()) loaded = store.users.VerifyEmail(other).status();
  if (loaded.ok()) loaded = store.achievements.Award(CollectedBadge("b1"));
  for (std::size_t i = 0; i < 5 && loaded.ok(); ++i) {
    loaded =
        store.table.Put(user::Setting{.scope = "app", .name = Id('s', i), .value = "on"}).status();
  }
  if (!loaded.ok()) return loaded;
  return store.table
      .Put(user::CachedValue{.name = "greeting",
                             .value = "Hello",
                             .expires_at = store.table.Now() + std::chrono::hours(24)})
      .status();
}

Status Load(const UserStore& store, std::size_t size) {
  for (std::size_t number = 0; number < size / 5; ++number) {
    if (Status loaded = LoadUser(store, number, size / 5); !loaded.ok()) return loaded;
  }
  return LoadWritten(store);
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
}

void AddWritesOfAccounts(ModelBenchmark<UserStore>* rows) {
  rows->Pattern("register a user", [](const UserStore& store, BenchmarkCall call) {
    const std::string id = Id('w', call.number);
    return store.users.Create({.user_id = id, .email = AddressOf(id)});
  });
  rows->Pattern("register and erase a user", [](const UserStore& store, BenchmarkCall call) {
    const std::string id = Id('x', call.number);
    const Status created = store.users.Create({.user_id = id, .email = AddressOf(id)}).status();
    return created.ok() ? store.users.Erase(id) : created;
  });
  rows->Pattern("read and edit a profile", [](const UserStore& store, BenchmarkCall call) {
    return store.users.GetProfile(kWriter).and_then([&](user::Profile profile) {
      profile.first_name = Id('n', call.number);
      return store.users.Edit(profile);
    });
  });
  rows->Pattern("suspend and reactivate a user", [](const UserStore& store) {
    Status status;
    for (const auto next : {user::UserStatus::kSuspended, user::UserStatus::kActive}) {
      const Result<user::Profile> profile = store.users.GetProfile(kWriter);
      status = profile.ok() ? store.users.SetStatus(*profile, next) : profile.status();
      if (!status.ok()) break;
    }
    return status;
  });
}

void AddWritesOfAddresses(ModelBenchmark<UserStore>* rows) {
  rows->Pattern("add, verify and remove an address", [](const UserStore& store) {
    const user::Email key = {.user_id = kWriter, .email_id = "e2", .email = "w2@example.com"};
    Status status = store.users.AddEmail(key).status();
    if (status.ok()) status = store.users.VerifyEmail(key).status();
    return status.ok() ? store.users.RemoveEmail(key) : status;
  });
  rows->Pattern("make an address primary, and back", [](const UserStore& store) {
    const user::Email first = {.user_id = kWriter, .email_id = "e1"};
    const user::Email other = {.user_id = kWriter, .email_id = "e3"};
    const Status made = store.users.MakePrimary(other);
    return made.ok() ? store.users.MakePrimary(first) : made;
  });
  rows->Pattern("issue and use a verification", [](const UserStore& store) {
    return store.users.IssueVerification({.user_id = kWriter, .email_id = "e1"})
        .and_then([&](const std::string& secret) {
          return store.users.UseVerification(kWriter, secret);
        });
  });
  rows->Pattern("issue and use a reset", [](const UserStore& store) {
    return store.users.IssueReset(AddressOf(kWriter)).and_then([&](const std::string& secret) {
      return store.users.UseReset(secret);
    });
  });
}

void AddSessions(ModelBenchmark<UserStore>* rows) {
  rows->Pattern("session", [](const UserStore& store, BenchmarkCall call) {
    return store.sessions.Get({.user_id = UserOf(call), .session_id = "s1"});
  });
  rows->Pattern("sessions of a user", [](const UserStore& store, BenchmarkCall call) {
    return store.sessions.List(UserOf(call));
  });
  rows->Pattern("start and end a session", [](const UserStore& store) {
    const Result<user::Session> session = store.sessions.Start(kCollector);
    return session.ok() ? store.sessions.End(*session) : session.status();
  });
  rows->Pattern("renew a session", [](const UserStore& store, BenchmarkCall call) {
    return store.sessions.Renew({.user_id = UserOf(call), .session_id = "s1"});
  });
}

void AddBadges(ModelBenchmark<UserStore>* rows) {
  rows->Pattern("badges of a user", [](const UserStore& store, BenchmarkCall call) {
    return store.achievements.List(UserOf(call));
  });
  rows->Pattern("leaderboard", [](const UserStore& store) {
    return store.achievements.Leaderboard(user::Tier::kBronze);
  });
  rows->Pattern("around a score", [](const UserStore& store, BenchmarkCall call) {
    return store.achievements.Around({.user_id = UserOf(call), .badge = "b1"}, 5);
  });
  // Each score below the highest one has one user, or two of 20,000.
  rows->Pattern("rank of a badge below 50 scores", [](const UserStore& store, BenchmarkCall call) {
    const std::size_t scores = std::min<std::size_t>(call.size / 5, kScores);
    return store.achievements.Rank({.user_id = Id('u', scores - 51), .badge = "b1"});
  });
  rows->Pattern("award a badge", [](const UserStore& store, BenchmarkCall call) {
    return store.achievements.Award(CollectedBadge(Id('w', call.number)));
  });
  rows->Pattern("set a score", [](const UserStore& store, BenchmarkCall call) {
    const auto score = static_cast<std::int64_t>(call.number % kScores);
    return store.achievements.SetScore(CollectedBadge("b1", score));
  });
}

void AddConnections(ModelBenchmark<UserStore>* rows) {
  rows->Pattern("connect and disconnect", [](const UserStore& store) {
    const user::Connection connection = {.user_id = kWriter, .other_id = "w2"};
    const Status connected = store.connections.Connect(connection).status();
    return connected.ok() ? store.connections.Disconnect(connection) : connected;
  });
  rows->Pattern("is connected", [](const UserStore& store, BenchmarkCall call) {
    const std::size_t users = call.size / 5;
    return store.connections.Find(
        {.user_id = UserOf(call), .other_id = Id('u', (call.number + 1) % users)});
  });
  rows->Pattern("targets of a user", [](const UserStore& store, BenchmarkCall call) {
    return store.connections.ListTargets(UserOf(call));
  });
  rows->Pattern("sources of a user", [](const UserStore& store, BenchmarkCall call) {
    return store.connections.ListSources(UserOf(call));
  });
}

void AddLimits(ModelBenchmark<UserStore>* rows) {
  static const user::RateLimit kSliding = {.hits_max = 1'000'000, .is_sliding = true};
  static const user::RateLimit kBusy = {.hits_max = 1'000'000, .is_busy = true};
  rows->Pattern("rate limit", [](const UserStore& store, BenchmarkCall call) {
    return store.rate_limits.Hit(UserOf(call), {.hits_max = 1'000'000});
  });
  rows->Pattern("sliding rate limit", [](const UserStore& store, BenchmarkCall call) {
    return store.rate_limits.Hit(UserOf(call), kSliding);
  });
  rows->Pattern("busy rate limit",
                [](const UserStore& store) { return store.rate_limits.Hit("busy", kBusy); });
  rows->Pattern("usage of a busy rate limit",
                [](const UserStore& store) { return store.rate_limits.Usage("busy", kBusy); });
  rows->Pattern("token bucket", [](const UserStore& store, BenchmarkCall call) {
    return store.rate_limits.Take(UserOf(call), {.tokens_max = 1'000});
  });
  rows->Pattern("circuit",
                [](const UserStore& store) { return store.circuits.MayCall("mail", {}); });
  rows->Pattern("failure and success of a service", [](const UserStore& store) {
    const Status failed = store.circuits.RecordFailure("push", {}).status();
    return failed.ok() ? store.circuits.RecordSuccess("push") : failed;
  });
}

void AddNamedValues(ModelBenchmark<UserStore>* rows) {
  rows->Pattern("cached value", [](const UserStore& store) {
    return store.table.Find(user::CachedValue{.name = "greeting"});
  });
  rows->Pattern("cache and forget a value", [](const UserStore& store, BenchmarkCall call) {
    const user::CachedValue cached = {.name = Id('w', call.number),
                                      .value = "value",
                                      .expires_at = store.table.Now() + std::chrono::hours(1)};
    return store.table.Put(cached).status().and_then([&] { return store.table.Remove(cached); });
  });
  rows->Pattern("setting", [](const UserStore& store) {
    return store.table.Get(user::Setting{.scope = "app", .name = "s1"});
  });
  rows->Pattern("settings of a scope", [](const UserStore& store) {
    return store.table.Query<user::Setting>().With<&user::Setting::scope>("app").All();
  });
  rows->Pattern("read and put a setting", [](const UserStore& store, BenchmarkCall call) {
    const user::Setting key = {.scope = "app", .name = "s0"};
    return store.table.Get(key).and_then([&](user::Setting setting) {
      setting.value = Id('v', call.number);
      return store.table.Put(setting);
    });
  });
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
  AddWritesOfAccounts(&rows);
  AddWritesOfAddresses(&rows);
  AddSessions(&rows);
  AddBadges(&rows);
  AddConnections(&rows);
  AddLimits(&rows);
  AddNamedValues(&rows);
}

}  // namespace dolmen::bench
