// How often something may happen in a window of time.

#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>

#include "models/user/entities.h"

namespace dolmen::user {

struct RateLimit {
  std::int64_t hits_max = 0;                              // in one window
  std::chrono::seconds window = std::chrono::minutes(1);  // from 1970 on, one behind the other

  // 1 to 100.  In the cloud one partition takes 1000 writes a second; a subject that is hit more
  // often is counted in several.  The same for all who count a subject.
  std::int32_t shards = 1;
};

struct RateDecision {
  bool is_allowed = false;
  std::int64_t hits = 0;     // in this window, this one included
  Timestamp resets_at = {};  // when the next window begins

  friend bool operator==(const RateDecision&, const RateDecision&) = default;
};

// A handle; callable from any number of threads.  A subject says what is counted, and of whom
// ("login:203.0.113.7"); limits with other windows have other counters.  Counters end with their
// windows.
// kValidation: a subject is empty or holds #, the window is less than a second, or the number of
// shards is not from 1 to 100.
class RateLimits {
 public:
  explicit RateLimits(EntityTable table) : table_(std::move(table)) {}

  // Counts a hit, allowed or not.  UpdateItem RATELIMIT#<subject>#<shard>/WINDOW#<length>#<start>:
  // ADD hits 1, SET ttl.  One shard: the update returns the sum, so of all hits in a window exactly
  // the first hits_max are allowed.  Several: Usage's query, too; hits at the same time see each
  // other, so that never more than hits_max are allowed, but maybe fewer.
  Result<RateDecision> Hit(const std::string& subject, const RateLimit& limit) const;

  // The hits in this window.  Query of all shards' partitions with SK = WINDOW#<length>#<start>:
  // one request, where DynamoDB needs one for each shard.
  Result<std::int64_t> Usage(const std::string& subject, const RateLimit& limit) const;

 private:
  RateCounter CounterNow(const std::string& subject, const RateLimit& limit) const;
  Result<std::int64_t> Sum(const RateCounter& counter, const RateLimit& limit) const;

  EntityTable table_;
  // By turns, so that the shards are equally full.
  std::shared_ptr<std::atomic<std::uint32_t>> turn_ =
      std::make_shared<std::atomic<std::uint32_t>>(0);
};

}  // namespace dolmen::user
