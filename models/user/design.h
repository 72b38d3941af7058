// The design of the table, with its keys and its access patterns, and sample data. README.md shows the
// design, and a test compares them (tests/models/readme_test.cc).

#pragma once

#include <dolmen/entity/describe.h>

#include "models/user/user.h"

namespace dolmen::user {

// Returns the design. Every access pattern is one request; README.md lists the operations that need
// several requests.
inline TableDesign Design() {
  return Describe<Profile, Email, Session, Achievement, Connection, Token, RateCounter, TokenBucket,
                  Circuit, CachedValue, Setting, EmailRules>(
      "user",
      {AccessPattern("A profile by id", "Users::GetProfile").With<&Profile::user_id>(),
       AccessPattern("All addresses of a user", "Users::ListEmails").With<&Email::user_id>(),
       AccessPattern("A profile by address", "Users::FindByPrimaryEmail").With<&Profile::email>(),
       AccessPattern("An e-mail record by address", "Users::FindEmailRecord").With<&Email::email>(),
       AccessPattern("A session by id", "Sessions::Get").WithKey<Session>(),
       AccessPattern("All sessions of a user", "Sessions::List").With<&Session::user_id>(),
       AccessPattern("All badges of a user", "Achievements::List").With<&Achievement::user_id>(),
       AccessPattern("A tier's leaderboard, highest score first", "Achievements::Leaderboard")
           .With<&Achievement::tier>()
           .With<&Achievement::shard>()
           .SortedBy<&Achievement::score>(),
       AccessPattern("Are they connected?", "Connections::Find").WithKey<Connection>(),
       AccessPattern("The users that a user has connected to, in pages", "Connections::ListTargets")
           .With<&Connection::user_id>(),
       AccessPattern("The users who have connected to a user, in pages", "Connections::ListSources")
           .With<&Connection::other_id>()});
}

// Creates the sample data in one transaction. Does nothing if an item of it exists already. The
// times in the items come from the database's clock.
// - Addresses: Ann (abc-123) has two verified addresses; ann@example.org is primary. Sam (user123)
//   and Kim (user456) have one each.
// - Sessions: Ann has one session. Sam has two, and one of the two is a stay-signed-in session.
// - Badges: all three users have badges. Kim's badge-3 has the highest score of the gold tier.
// - Connections: Sam and Kim are connected in both directions. Ann is connected to Kim.
inline Status LoadSampleData(const UserStore& store) {
  const Timestamp now = store.table.Now();
  const Timestamp tomorrow = store.sessions.EndOf(false);
  const Timestamp next_month = store.sessions.EndOf(true);
  EntityTransaction load = store.table.Transact();
  load.Create(Profile{"abc-123", "ann@example.org", "Ann", "Okafor", "+4930123456"});
  load.Create(Profile{"user123", "sam@example.org", "Sam", "Reyes"});
  load.Create(Profile{"user456", "kim@example.org", "Kim", "Larsen"});
  load.Create(Email{"abc-123", "email-001", "ann@example.org", true, true, now});
  load.Create(Email{"abc-123", "email-002", "ann.okafor@work.example", false, true, now});
  load.Create(Email{"user123", "email-003", "sam@example.org", true, true, now});
  load.Create(Email{"user456", "email-004", "kim@example.org", true, true, now});
  load.Create(Session{"abc-123", "sess-ann", false, now, tomorrow});
  load.Create(Session{"user123", "sess-abc", false, now, tomorrow});
  load.Create(Session{"user123", "sess-def", true, now, next_month});
  load.Create(Achievement{"abc-123", "badge-1", Tier::kGold, 620});
  load.Create(Achievement{"abc-123", "badge-2", Tier::kSilver, 300});
  load.Create(Achievement{"user123", "badge-1", Tier::kGold, 850});
  load.Create(Achievement{"user456", "badge-1", Tier::kGold, 95});
  load.Create(Achievement{"user456", "badge-2", Tier::kBronze, 40});
  load.Create(Achievement{"user456", "badge-3", Tier::kGold, 1200});
  load.Create(Connection{"user123", "user456"}).Create(Connection{"abc-123", "user456"});
  load.Create(Connection{"user456", "user123"});
  return load.Commit().Ignoring(StatusCode::kResourceInUse);
}

}  // namespace dolmen::user
