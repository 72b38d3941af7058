// Badges that users have earned, and a leaderboard for each tier.

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
  std::string cursor = {};  // EntityPage::next_cursor of the previous page; "" = the top
  std::optional<std::int64_t> score_min = {};
};

// A handle to the badges in the table. Thread-safe. Errors besides the database's own:
// - kResourceNotFound: the user does not have the badge.
// - kResourceInUse: the user has the badge already.
// - kValidation: a score is not from 0 to 9999, or an id is empty or holds a '#'.
class Achievements {
 public:
  explicit Achievements(EntityTable table) : table_(std::move(table)) {}

  // Gives a badge to a user. PutItem USER#<id>/ACHIEVEMENT#<badge> with attribute_not_exists(PK).
  // In GSI1 the item has the key TIER#<tier>/SCORE#<four digits>.
  Result<Achievement> Award(const Achievement& achievement) const;

  // Changes a badge's tier and score, which changes the badge's key in GSI1. UpdateItem
  // USER#<id>/ACHIEVEMENT#<badge>.
  Result<Achievement> SetScore(const NewScore& change) const;

  // Returns a user's badges, sorted by badge. Query PK = USER#<id>, begins_with(SK, ACHIEVEMENT#).
  Result<std::vector<Achievement>> List(const std::string& user_id) const;

  // Returns a page of a tier's badges, the highest score first. Badges with equal scores are in
  // descending order of user and badge. Query GSI1 with GSI1PK = TIER#<tier>, ScanIndexForward =
  // false, Limit. With score_min the Query also has the condition GSI1SK BETWEEN SCORE#<score_min>
  // AND the last key that begins with SCORE#.
  Result<EntityPage<Achievement>> Leaderboard(const LeaderboardQuery& query) const;

 private:
  EntityTable table_;
};

}  // namespace dolmen::user
