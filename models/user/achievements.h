// Badges that users have earned, and a leaderboard for each tier.

#pragma once

#include "models/user/users.h"

namespace dolmen::user {

// A handle to the badges in the table. Thread-safe. An Achievement that is a `key` needs only user_id
// and badge. In GSI1 a badge has the key TIER#<tier>#<shard>/SCORE#<four digits>. Each read of a
// leaderboard is one Query of all shards. Errors besides the database's own:
// - kResourceNotFound: the user does not exist, or does not have the badge.
// - kResourceInUse: the user has the badge already.
// - kValidation: a score is not from 0 to 9999, or an id is empty or holds a '#'.
struct Achievements {
  EntityTable table;

  // Gives a badge to a user. TransactWriteItems: Put USER#<id>/ACHIEVEMENT#<badge> with
  // attribute_not_exists(PK), and ConditionCheck USER#<id>/PROFILE with status = active.
  // - kConditionalCheckFailed: the user is suspended or deleted.
  Status Award(const Achievement& achievement) const {
    return CommitIfActive(table.Transact().Create(achievement), achievement).status();
  }

  // Changes a badge's tier and score, which changes the badge's key in GSI1. UpdateItem
  // USER#<id>/ACHIEVEMENT#<badge>.
  Result<Achievement> SetScore(const Achievement& change) const {
    return table.Update(change)
        .Set<&Achievement::tier>(change.tier)
        .Set<&Achievement::score>(change.score)
        .Commit();
  }

  // Returns a user's badges, sorted by badge. Query PK = USER#<id>, begins_with(SK, ACHIEVEMENT#).
  Result<std::vector<Achievement>> List(const std::string& user_id) const {
    return table.Query<Achievement>().With<&Achievement::user_id>(user_id).All();
  }

  // Returns a page of a tier's badges, the highest score first. Query GSI1, ScanIndexForward = false.
  Result<EntityPage<Achievement>> Leaderboard(Tier tier, PageInput page = {}) const {
    return OfTier(tier).Backward().Page(std::move(page));
  }

  // Returns the rank of a badge in its tier: 1 plus the number of badges with a higher score. GetItem,
  // then Query GSI1 with GSI1SK > SCORE#<score>, Select = COUNT, which reads all of these badges.
  Result<std::uint64_t> Rank(const Achievement& key) const {
    return table.Get(key)
        .and_then([&](const Achievement& mine) {
          return OfTier(mine.tier).After<&Achievement::score>(mine.score).Count();
        })
        .transform([](std::uint64_t higher) { return higher + 1; });
  }

  // Returns a badge with its neighbours in the leaderboard, the highest score first: up to `count`
  // badges with a higher score, the badge, and up to `count` others. GetItem and two Queries of GSI1.
  Result<std::vector<Achievement>> Around(const Achievement& key, std::uint32_t count) const {
    return table.Get(key).and_then([&](const Achievement& mine) {
      const auto higher = OfTier(mine.tier).After<&Achievement::score>(mine.score).Limit(count);
      auto lower = OfTier(mine.tier).AtMost<&Achievement::score>(mine.score).Backward();
      return higher.All().and_then([&](std::vector<Achievement> around) {
        std::ranges::reverse(around);
        around.push_back(mine);
        return lower.Limit(count + 1).All().transform([&](std::vector<Achievement> others) {
          std::erase(others, mine);
          others.resize(std::min<std::size_t>(others.size(), count));
          around.insert(around.end(), others.begin(), others.end());
          return around;
        });
      });
    });
  }

  // Starts a query of a leaderboard.
  EntityQuery<Achievement> OfTier(Tier tier) const {
    auto query = table.Query<Achievement>("GSI1").With<&Achievement::tier>(tier);
    return query.AllShards<&Achievement::shard>();
  }
};

}  // namespace dolmen::user
