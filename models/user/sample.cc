#include "models/user/sample.h"

#include <initializer_list>

namespace dolmen::user {
namespace {

// Turns kResourceInUse into success. The error means that an earlier call has loaded the item.
Status Accept(const Status& status) {
  return status.code() == StatusCode::kResourceInUse ? Status() : status;
}

Status LoadUsers(const Users& users) {
  for (const NewUser& user : {NewUser{.user_id = "abc-123",
                             .email_id = "email-001",
                             .email = "Ann@Example.org",
                             .first_name = "Ann",
                             .last_name = "Okafor",
                             .phone = "+4930123456"},
                              NewUser{.user_id = "user123",
                              .email_id = "email-003",
                              .email = "sam@example.org",
                              .first_name = "Sam",
                              .last_name = "Reyes"},
                              NewUser{.user_id = "user456",
                              .email_id = "email-004",
                              .email = "kim@example.org",
                              .first_name = "Kim",
                              .last_name = "Larsen"}}) {
    if (Status status = Accept(users.Create(user).status()); !status.ok()) return status;
  }
  Status status = Accept(
      users
          .AddEmail(
              {.user_id = "abc-123", .email = "ann.okafor@work.example", .email_id = "email-002"})
          .status());
  if (!status.ok()) return status;
  return users.VerifyEmail({.user_id = "abc-123", .email_id = "email-002"}).status();
}

Status LoadSessions(const Sessions& sessions) {
  for (const NewSession& session :
       {NewSession{.user_id = "abc-123", .session_id = "sess-ann"},
        NewSession{.user_id = "user123", .session_id = "sess-abc"},
        NewSession{.user_id = "user123", .stay_signed_in = true, .session_id = "sess-def"}}) {
    if (Status status = Accept(sessions.Start(session).status()); !status.ok()) return status;
  }
  return {};
}

Status LoadAchievements(const Achievements& achievements) {
  for (const Achievement& achievement :
       {Achievement{"abc-123", "badge-1", Tier::kGold, 620, {}},
        Achievement{"abc-123", "badge-2", Tier::kSilver, 300, {}},
        Achievement{"user123", "badge-1", Tier::kGold, 850, {}},
        Achievement{"user456", "badge-1", Tier::kGold, 95, {}},
        Achievement{"user456", "badge-3", Tier::kGold, 1200, {}},
        Achievement{"user456", "badge-2", Tier::kBronze, 40, {}}}) {
    if (Status status = Accept(achievements.Award(achievement).status()); !status.ok()) {
      return status;
    }
  }
  return {};
}

Status LoadConnections(const Connections& connections) {
  for (const ConnectionId& id :
       {ConnectionId{"user123", "user456"}, ConnectionId{"abc-123", "user456"},
        ConnectionId{"user456", "user123"}}) {
    if (Status status = Accept(connections.Connect(id).status()); !status.ok()) return status;
  }
  return {};
}

}  // namespace

Status LoadSampleData(const UserStore& store) {
  if (Status status = LoadUsers(store.users()); !status.ok()) return status;
  if (Status status = LoadSessions(store.sessions()); !status.ok()) return status;
  if (Status status = LoadAchievements(store.achievements()); !status.ok()) return status;
  return LoadConnections(store.connections());
}

}  // namespace dolmen::user
