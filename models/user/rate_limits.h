// Rate limits. A hit is one use of an action, such as a login. A limit is the number of hits that
// is allowed in a time.

#pragma once

#include "models/user/entities.h"

namespace dolmen::user {

// A limit of the hits in a window of time.
struct RateLimit {
  std::int64_t hits_max = 0;                              // allowed in one window
  std::chrono::seconds window = std::chrono::minutes(1);  // the window's length, at least 1 second

  // False: a window begins at each multiple of its length, so that twice the hits can be allowed
  // around the begin of a window. True: the window ends now. It then contains a part of the previous
  // fixed window, and the same part of that window's hits is counted.
  bool is_sliding = false;

  // True spreads the hits of a subject over ten partitions. In DynamoDB one partition accepts 1000
  // writes a second. All callers that count the same subject must use the same value.
  bool is_busy = false;
};

// A limit that allows bursts: a bucket of tokens, of which each hit takes one.
struct BucketLimit {
  std::int64_t tokens_max = 0;                                 // in a full bucket
  std::chrono::milliseconds refill = std::chrono::seconds(1);  // the time of a token, at least 1 ms
};

struct RateDecision {
  bool is_allowed = false;
  std::int64_t hits = 0;     // in the window, or tokens that the bucket lacks; with this hit
  Timestamp resets_at = {};  // the next window begins, or the bucket is full after this hit

  friend bool operator==(const RateDecision&, const RateDecision&) = default;
};

// A handle to the counters and buckets in the table. Thread-safe.
//
// A subject names an action and its caller, such as "login:203.0.113.7". Each window has a counter
// of the subject's hits. Limits of a subject with different window lengths use different counters. A
// counter expires at the end of its window, or one window later if the window slides.
//
// Errors besides the database's own:
// - kValidation: a subject is empty or holds a '#'.
struct RateLimits {
  EntityTable table;

  // Counts a hit, even if the hit is not allowed. UpdateItem
  // RATELIMIT#<subject>#<shard>/WINDOW#<length>#<start>: ADD hits 1, SET ttl.
  // - A fixed window: the update returns the sum, so exactly the first hits_max hits of a window are
  //   allowed.
  // - A sliding window, or a busy subject: then sends the Query of Usage. The sum includes concurrent
  //   hits, so at most hits_max hits are allowed, and possibly fewer.
  Result<RateDecision> Hit(const std::string& subject, const RateLimit& limit) const;

  // Returns the hits in the window that Hit would check. One Query of RATELIMIT#<subject>#<shard>,
  // with SK from the first window that counts. A busy subject has ten partitions, for which DynamoDB
  // needs ten requests.
  Result<std::int64_t> Usage(const std::string& subject, const RateLimit& limit) const;

  // Takes a token from a subject's bucket, if there is one. GetItem RATELIMIT#<subject>/BUCKET; then,
  // if the hit is allowed, TransactWriteItems: Put with a condition on the version. Begins again if
  // another hit has changed the bucket in between. A full bucket expires.
  Result<RateDecision> Take(const std::string& subject, const BucketLimit& limit) const;
};

}  // namespace dolmen::user
