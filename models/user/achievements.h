// Badges that users have earned, and who leads in each tier.

#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "models/user/entities.h"

namespace dolmen::user {

struct AchievementId {
  std::string user_id = {};
  std::string badge = {};
};

struct NewScore {
  AchievementId id = {};
  Tier tier = Tier::kBronze;
  std::int64_t score = 0;
};

struct LeaderboardQuery {
  Tier tier = Tier::kGold;
  std::uint32_t limit = 10;
  std::string cursor = {};  // EntityPage::next_cursor of the page before; "" = the top
  std::optional<std::int64_t> score_min = {};
};

// A handle; callable from any number of threads.  Errors, besides the database's own:
//   kResourceNotFound  the user has no such badge
//   kResourceInUse     the user has it already
//   kValidation        a score is not from 0 to 9999, or an id can't be one
class Achievements {
 public:
  explicit Achievements(EntityTable table) : table_(std::move(table)) {}

  // PutItem USER#<id>/ACHIEVEMENT#<badge> with attribute_not_exists(PK), GSI1 TIER#<tier> and
  // SCORE#<four digits>.
  Result<Achievement> Award(const Achievement& achievement) const;

  // UpdateItem USER#<id>/ACHIEVEMENT#<badge>: tier and score, and with them its place in GSI1.
  Result<Achievement> SetScore(const NewScore& change) const;

  // Query PK = USER#<id>, begins_with(SK, ACHIEVEMENT#).  In order of the badges.
  Result<std::vector<Achievement>> List(const std::string& user_id) const;

  // Query GSI1 with GSI1PK = TIER#<tier>, ScanIndexForward = false, Limit; with score_min
  // GSI1SK BETWEEN SCORE#<score_min> and the end.  The highest score first; equal scores in
  // descending order of their keys.
  Result<EntityPage<Achievement>> Leaderboard(const LeaderboardQuery& query) const;

 private:
  EntityTable table_;
};

}  // namespace dolmen::user
