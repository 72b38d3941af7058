// Rate limits. A hit is one use of an action, such as a login. A limit is the number of hits that
// is allowed in a window of time.

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

  // The number of partitions over which the hits of a subject are spread, 1 to 100. In DynamoDB one
  // partition accepts 1000 writes a second, so a subject with more than 1000 hits a second needs
  // several partitions. All callers that count the same subject must use the same number.
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
// A subject names an action and its caller, such as "login:203.0.113.7". Each window has a counter
// of the subject's hits, or one counter in each of RateLimit::shards partitions. Limits of a
// subject with different window lengths use different counters. A counter expires at the end of its
// window.
//
// Errors besides the database's own:
// - kValidation: a subject is empty or holds a '#', the window is less than a second, or the number
//   of shards is not from 1 to 100.
class RateLimits {
 public:
  explicit RateLimits(EntityTable table) : table_(std::move(table)) {}

  // Counts a hit, even if the hit is not allowed. UpdateItem
  // RATELIMIT#<subject>#<shard>/WINDOW#<length>#<start>: ADD hits 1, SET ttl.
  // - One shard: the update returns the sum, so exactly the first hits_max hits of a window are
  //   allowed.
  // - Several shards: the call then sends the Query of Usage. The sum of all shards includes
  //   concurrent hits, so at most hits_max hits of a window are allowed, and possibly fewer.
  Result<RateDecision> Hit(const std::string& subject, const RateLimit& limit) const;

  // Returns the number of hits in the current window. In Dolmen this is one Query of the partitions
  // of all shards with SK = WINDOW#<length>#<start>. DynamoDB needs one request for each shard.
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
