#include "models/user/achievements.h"

namespace dolmen::user {

Result<Achievement> Achievements::Award(const Achievement& achievement) const {
  return table_.Create(achievement);
}

Result<Achievement> Achievements::SetScore(const NewScore& change) const {
  return table_.Update(Achievement{.user_id = change.id.user_id, .badge = change.id.badge})
      .Set<&Achievement::tier>(change.tier)
      .Set<&Achievement::score>(change.score)
      .Commit();
}

Result<std::vector<Achievement>> Achievements::List(const std::string& user_id) const {
  return table_.Query<Achievement>().With<&Achievement::user_id>(user_id).All();
}

Result<EntityPage<Achievement>> Achievements::Leaderboard(const LeaderboardQuery& query) const {
  auto leaders = table_.Query<Achievement>("GSI1").With<&Achievement::tier>(query.tier);
  if (query.score_min) leaders.AtLeast<&Achievement::score>(*query.score_min);
  return leaders.Backward().Limit(query.limit).From(query.cursor).Page();
}

}  // namespace dolmen::user
