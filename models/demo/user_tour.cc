#include <chrono>
#include <optional>
#include <string>
#include <vector>

#include "models/demo/story.h"
#include "models/demo/tours.h"
#include "models/user/design.h"

namespace dolmen::demo {
namespace {

using user::Account;
using user::Achievement;
using user::Connection;
using user::Email;
using user::Profile;
using user::Session;
using user::UserStore;

std::string Spelled(const auto& value) {
  for (const auto& spelling : Spellings(value)) {
    if (spelling.value == value) return std::string(spelling.text);
  }
  return "";
}

Rows RowsOf(const Profile& profile) {
  return {{"name", profile.first_name + " " + profile.last_name},
          {"email", profile.email},
          {"status", Spelled(profile.status)},
          {"version", std::to_string(profile.version)}};
}

Rows RowsOf(const std::vector<Email>& emails) {
  Rows rows;
  for (const Email& email : emails) {
    rows.push_back({email.email_id, email.email, email.is_verified ? "verified" : "not verified"});
    if (email.is_primary) rows.back().emplace_back("primary");
  }
  return rows;
}

Rows RowsOf(const Email& email) { return RowsOf(std::vector<Email>{email}); }

Rows RowsOf(const Account& account) {
  Rows rows = RowsOf(account.profile);
  for (const Email& email : account.emails) {
    rows.push_back({"address", email.email + (email.is_primary ? " (primary)" : "")});
  }
  return rows;
}

Rows RowsOf(const std::vector<Session>& sessions) {
  Rows rows;
  for (const Session& session : sessions) {
    rows.push_back({session.session_id, "until " + ToIso8601(session.expires_at)});
    if (session.stays_signed_in) rows.back().emplace_back("stays signed in");
  }
  return rows;
}

Rows RowsOf(const Session& session) { return RowsOf(std::vector<Session>{session}); }

Rows RowsOf(const std::vector<Achievement>& achievements) {
  Rows rows;
  for (const Achievement& one : achievements) {
    rows.push_back({Spelled(one.tier), std::to_string(one.score), one.user_id, one.badge});
  }
  return rows;
}

Rows RowsOf(const Achievement& one) { return RowsOf(std::vector<Achievement>{one}); }

Rows RowsOf(const EntityPage<Achievement>& page) { return RowsOf(page.items); }

Rows RowsOf(const Connection& one) { return {{one.user_id + " -> " + one.other_id}}; }

Rows RowsOf(const EntityPage<Connection>& page) {
  Rows rows;
  for (const Connection& one : page.items) rows.push_back(RowsOf(one)[0]);
  return rows;
}

Rows RowsOf(const user::RateDecision& decision) {
  return {{decision.is_allowed ? "allowed" : "refused", std::to_string(decision.hits) + " hits",
           "resets at " + ToIso8601(decision.resets_at)}};
}

Rows RowsOf(const user::Circuit& circuit) {
  return {{std::to_string(circuit.failures) + " failures",
           "a trial at " + ToIso8601(circuit.retry_at)}};
}

Rows RowsOf(user::CircuitPhase phase) {
  static constexpr const char* kNames[] = {"closed", "open", "half-open"};
  return {{kNames[static_cast<int>(phase)]}};
}

Rows RowsOf(const std::vector<user::Setting>& settings) {
  Rows rows;
  for (const user::Setting& setting : settings) {
    rows.push_back({setting.scope, setting.name, "version " + std::to_string(setting.version)});
  }
  return rows;
}

Rows RowsOf(const user::CachedValue& cached) { return {{cached.value}}; }

template <typename T>
Rows RowsOf(const std::optional<T>& found) {
  return found ? RowsOf(*found) : Rows{{"(none)"}};
}

Rows RowsOf(std::uint64_t count) { return {{std::to_string(count)}}; }

Rows RowsOf(std::int64_t count) { return {{std::to_string(count)}}; }

Rows RowsOf(bool answer) { return {{answer ? "yes" : "no"}}; }

// The story of the users, whose rows RowsOf formats.
class UserTour {
 public:
  UserTour(Story* story, ManualClock* clock) : story_(story), clock_(clock) {}

  template <typename Run>
  UserTour& Show(std::string_view name, Run run) {
    story_->Show({.name = name}, run, [](const auto& value) { return RowsOf(value); });
    return *this;
  }
  template <typename Run>
  UserTour& Try(std::string_view name, Run run) {
    story_->Outcome({.name = name}, run);
    return *this;
  }
  // Moves the database's clock.
  UserTour& Wait(std::string_view sentence, std::chrono::milliseconds by) {
    story_->Tell(sentence);
    clock_->Advance(by);
    return *this;
  }

 private:
  Story* story_;
  ManualClock* clock_;
};

void ShowAccounts(const UserStore& store, UserTour* tour) {
  const user::Users& users = store.users;
  tour->Show("A profile by id", [&] { return users.GetProfile("abc-123"); })
      .Show("All addresses of a user", [&] { return users.ListEmails("abc-123"); })
      .Show("The e-mail record of an address",
            [&] { return users.FindEmailRecord(" SAM@example.org"); })
      .Show("A user by address", [&] { return users.FindByPrimaryEmail("sam@example.org"); })
      .Show("Is an address taken?", [&] { return users.IsTaken("kim@example.org"); })
      .Show("All of a user", [&] { return users.GetAccount("abc-123"); })
      .Try("Sign up",
           [&] {
             return users
                 .Create({.user_id = "visitor", .email = "visitor@example.org"}, "email-visitor")
                 .status();
           })
      .Try("Two editors have read the same version, and the first one saves",
           [&] {
             return users.Edit({.user_id = "visitor", .last_name = "Meyer", .version = 1}).status();
           })
      .Try("The second one saves the version that both have read",
           [&] {
             return users.Edit({.user_id = "visitor", .last_name = "Maier", .version = 1}).status();
           })
      .Try("Make a user active, if the profile has not changed", [&] {
        return users.GetProfile("user123").and_then(
            [&](const Profile& sam) { return users.SetStatus(sam, user::UserStatus::kActive); });
      });
}

void ShowAddresses(const UserStore& store, UserTour* tour) {
  const user::Users& users = store.users;
  const user::Email home = {.user_id = "abc-123", .email_id = "email-home"};
  const user::Email before = {.user_id = "abc-123", .email_id = "email-001"};
  tour->Try("Add an address of another user",
            [&] {
              return users
                  .AddEmail(
                      {.user_id = "user123", .email_id = "email-new", .email = "ann@example.org"})
                  .status();
            })
      .Try("Add a free address",
           [&] {
             return users
                 .AddEmail({.user_id = home.user_id,
                            .email_id = home.email_id,
                            .email = "Ann@Home.example"})
                 .status();
           })
      .Try("Make an unverified address primary", [&] { return users.MakePrimary(home); })
      .Show("Verify the address", [&] { return users.VerifyEmail(home); })
      .Try("Make the verified address primary", [&] { return users.MakePrimary(home); })
      .Try("Remove the primary address", [&] { return users.RemoveEmail(home); })
      .Try("Make the other address primary again", [&] { return users.MakePrimary(before); })
      .Try("Remove the address that is no longer primary", [&] { return users.RemoveEmail(home); });
}

void ShowSessions(const UserStore& store, UserTour* tour) {
  const user::Sessions& sessions = store.sessions;
  tour->Show("Sign in", [&] { return sessions.Start("user456"); })
      .Show("A session by id",
            [&] { return sessions.Get({.user_id = "user123", .session_id = "sess-abc"}); })
      .Show("Renew a session",
            [&] { return sessions.Renew({.user_id = "user123", .session_id = "sess-abc"}); })
      .Show("All sessions of a user", [&] { return sessions.List("user123"); })
      .Wait("A year passes on the database's clock.", std::chrono::days(365))
      .Try("The session has expired, although no sweep has deleted it",
           [&] { return sessions.Get({.user_id = "user123", .session_id = "sess-abc"}).status(); })
      .Try("Sign out everywhere", [&] { return sessions.EndAll("user456"); })
      .Try("Sign out of a session that has ended",
           [&] { return sessions.End({.user_id = "user456", .session_id = "sess-old"}); });
}

void ShowAchievements(const UserStore& store, UserTour* tour) {
  const user::Achievements& achievements = store.achievements;
  tour->Try("Award a badge that the user has",
            [&] { return achievements.Award({.user_id = "user456", .badge = "badge-1"}); })
      .Show("Set a new score",
            [&] {
              return achievements.SetScore({.user_id = "user456",
                                            .badge = "badge-1",
                                            .tier = user::Tier::kGold,
                                            .score = 700});
            })
      .Show("All badges of a user", [&] { return achievements.List("user456"); })
      .Show("The gold tier's leaderboard, three a page",
            [&] { return achievements.Leaderboard(user::Tier::kGold, {.limit = 3}); })
      .Show("The rank of a badge",
            [&] { return achievements.Rank({.user_id = "user456", .badge = "badge-1"}); })
      .Show("A badge and its neighbours",
            [&] { return achievements.Around({.user_id = "user456", .badge = "badge-1"}, 1); });
}

void ShowConnections(const UserStore& store, UserTour* tour) {
  const user::Connections& connections = store.connections;
  const Connection id = {.user_id = "user123", .other_id = "abc-123"};
  tour->Try("Connect two users", [&] { return connections.Connect(id).status(); })
      .Show("The users that a user has connected to",
            [&] { return connections.ListTargets("user123"); })
      .Show("The users who have connected to a user",
            [&] { return connections.ListSources("user456"); })
      .Try("Disconnect the two users", [&] { return connections.Disconnect(id); })
      .Show("Are the two users connected?", [&] { return connections.Find(id); });
}

void ShowLimits(const UserStore& store, UserTour* tour) {
  const user::RateLimits& limits = store.rate_limits;
  const user::RateLimit plain = {.hits_max = 2};
  const user::RateLimit hot = {.hits_max = 10'000, .is_busy = true};
  const user::RateLimit sliding = {.hits_max = 5, .is_sliding = true};
  const user::BucketLimit bucket = {.tokens_max = 5};
  const auto hit = [&] { return limits.Hit("login:203.0.113.7", plain); };
  tour->Show("Count a hit against a limit of two", hit)
      .Show("Count a second hit", hit)
      .Show("A third hit is over the limit", hit)
      .Wait("A minute passes on the database's clock.", std::chrono::minutes(1))
      .Show("A hit in the next window", hit)
      .Show("Count a hit of a busy subject, in 10 shards",
            [&] { return limits.Hit("api:everybody", hot); })
      .Show("The number of hits in this window", [&] { return limits.Usage("api:everybody", hot); })
      .Show("Count a hit in a sliding window",
            [&] { return limits.Hit("search:203.0.113.7", sliding); })
      .Show("Take a token from a bucket",
            [&] { return limits.Take("upload:203.0.113.7", bucket); });
}

void ShowCircuit(const UserStore& store, UserTour* tour) {
  const user::Circuits& circuits = store.circuits;
  const user::CircuitPolicy policy = {.failures_max = 2};
  const auto fail = [&] { return circuits.RecordFailure("mail", policy); };
  tour->Show("A failure of a service", fail)
      .Show("A second failure trips the circuit", fail)
      .Show("May the service be called?", [&] { return circuits.MayCall("mail", policy); })
      .Wait("An hour passes on the database's clock.", std::chrono::hours(1))
      .Show("The circuit is half-open: one caller may try",
            [&] { return circuits.GetPhase("mail", policy); })
      .Try("A success closes the circuit", [&] { return circuits.RecordSuccess("mail"); });
}

void ShowValues(const UserStore& store, UserTour* tour) {
  const EntityTable& table = store.table;
  const user::Setting retries = {.scope = "mail", .name = "retries", .value = 3};
  const Timestamp end = table.Now() + std::chrono::seconds(10);
  const user::CachedValue feed = {.name = "feed:abc-123", .value = "[1,2]", .expires_at = end};
  tour->Try("Cache a value for ten seconds", [&] { return table.Put(feed).status(); })
      .Show("A cached value", [&] { return table.Find(feed); })
      .Try("Create a setting", [&] { return table.Put(retries).status(); })
      .Try("Change a setting",
           [&] {
             return table.Get(retries).and_then([&](user::Setting read) {
               read.value = 5;
               return table.Put(read).status();
             });
           })
      .Show("All settings of a scope",
            [&] { return table.Query<user::Setting>().With<&user::Setting::scope>("mail").All(); });
}

}  // namespace

Status ShowUser(const Database& database, ManualClock* clock, Page* page) {
  Story story(page, "Users: accounts, addresses, sessions, scores, limits and settings");
  const Result<UserStore> store = UserStore::Open(database, story.observer());
  if (!store.ok()) return store.status();
  if (Status status = LoadSampleData(*store); !status.ok()) return status;

  story.Draw(database, user::Design());
  UserTour tour(&story, clock);
  for (const auto& show : {ShowAccounts, ShowAddresses, ShowAchievements, ShowConnections,
                           ShowLimits, ShowCircuit, ShowValues, ShowSessions}) {
    show(*store, &tour);
  }
  return story.PrintCosts().status();
}

}  // namespace dolmen::demo
