#include "models/user/sample.h"

namespace dolmen::user {

Status LoadSampleData(const UserStore& store) {
  const Timestamp now = store.table.Now();
  const Timestamp tomorrow =
      std::chrono::ceil<std::chrono::seconds>(now + SessionLifetimes().usual);
  const Timestamp next_month =
      std::chrono::ceil<std::chrono::seconds>(now + SessionLifetimes().stays_signed_in);
  EntityTransaction load = store.table.Transact();
  load.Create(Profile{"abc-123", "ann@example.org", "Ann", "Okafor", "+4930123456"})
      .Create(Profile{"user123", "sam@example.org", "Sam", "Reyes"})
      .Create(Profile{"user456", "kim@example.org", "Kim", "Larsen"});
  load.Create(Email{"abc-123", "email-001", "ann@example.org", true, true, now})
      .Create(Email{"abc-123", "email-002", "ann.okafor@work.example", false, true, now})
      .Create(Email{"user123", "email-003", "sam@example.org", true, true, now})
      .Create(Email{"user456", "email-004", "kim@example.org", true, true, now});
  load.Create(Session{"abc-123", "sess-ann", false, now, tomorrow})
      .Create(Session{"user123", "sess-abc", false, now, tomorrow})
      .Create(Session{"user123", "sess-def", true, now, next_month});
  load.Create(Achievement{"abc-123", "badge-1", Tier::kGold, 620})
      .Create(Achievement{"abc-123", "badge-2", Tier::kSilver, 300})
      .Create(Achievement{"user123", "badge-1", Tier::kGold, 850})
      .Create(Achievement{"user456", "badge-1", Tier::kGold, 95})
      .Create(Achievement{"user456", "badge-2", Tier::kBronze, 40})
      .Create(Achievement{"user456", "badge-3", Tier::kGold, 1200});
  load.Create(Connection{"user123", "user456"})
      .Create(Connection{"abc-123", "user456"})
      .Create(Connection{"user456", "user123"});
  const Status loaded = load.Commit();
  return loaded.code() == StatusCode::kResourceInUse ? Status() : loaded;
}

}  // namespace dolmen::user
