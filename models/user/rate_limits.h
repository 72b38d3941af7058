// Rate limits: a number of hits that is allowed in a window of time.

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
  std::int64_t hits_max = 0;                              // allowed in one window
  std::chrono::seconds window = std::chrono::minutes(1);  // the window's length

  // The number of partitions over which the hits of a subject are spread, 1 to 100. In DynamoDB
  // one partition takes 1000 writes a second; a subject with more hits needs several partitions.
  // All callers that count the same subject must use the same number.
  std::int32_t shards = 1;
};

struct RateDecision {
  bool is_allowed = false;
  std::int64_t hits = 0;     // in this window, including this hit
  Timestamp resets_at = {};  // when the next window begins

  friend bool operator==(const RateDecision&, const RateDecision&) = default;
};

// A handle to the counters in the table. Thread-safe.
//
// A subject names an action and its caller ("login:203.0.113.7"). Limits with different windows
// have different counters. A counter expires at the end of its window.
//
// Errors besides the database's own:
// - kValidation: a subject is empty or holds a '#', the window is less than a second, or the number
//   of shards is not from 1 to 100.
class RateLimits {
 public:
  explicit RateLimits(EntityTable table) : table_(std::move(table)) {}

  // Counts a hit, allowed or not. UpdateItem RATELIMIT#<subject>#<shard>/WINDOW#<length>#<start>:
  // ADD hits 1, SET ttl.
  // - One shard: the update returns the sum, so exactly the first hits_max hits of a window are
  //   allowed.
  // - Several shards: the Query of Usage then returns the sum, which includes concurrent hits. So
  //   at most hits_max hits of a window are allowed, possibly fewer.
  Result<RateDecision> Hit(const std::string& subject, const RateLimit& limit) const;

  // Returns the number of hits in the current window. Query of all shards' partitions with SK =
  // WINDOW#<length>#<start>: one request here, one for each shard in DynamoDB.
  Result<std::int64_t> Usage(const std::string& subject, const RateLimit& limit) const;

 private:
  RateCounter CounterNow(const std::string& subject, const RateLimit& limit) const;
  Result<std::int64_t> Sum(const RateCounter& counter, const RateLimit& limit) const;

  EntityTable table_;
  // The number of hits that this handle and its copies have counted. The shard of a hit is this
  // number modulo the number of shards, so the shards fill evenly.
  std::shared_ptr<std::atomic<std::uint32_t>> turn_ =
      std::make_shared<std::atomic<std::uint32_t>>(0);
};

}  // namespace dolmen::user
