// Rate limits and circuit breakers.
//
// A hit is one use of an action, such as a login. A rate limit is the number of hits that is allowed in
// a time. A circuit breaker stops the calls of a service for a while after several failures.

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

  // Returns the window's length, at least 1 second.
  std::chrono::seconds length() const { return std::max(window, std::chrono::seconds(1)); }

  // Returns the begin of the fixed window that contains the time.
  Timestamp StartOf(Timestamp time) const { return time - time.time_since_epoch() % length(); }
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
  Result<RateDecision> Hit(const std::string& subject, const RateLimit& limit) const {
    const Timestamp now = table.Now();
    const Timestamp end = limit.StartOf(now) + limit.length();
    const auto shard = limit.is_busy ? Sharded<10>::OfHash(table.NewUlid()) : Sharded<10>(0);
    return table.Update(RateCounter{subject, shard, limit.length().count(), limit.StartOf(now)})
        .Add<&RateCounter::hits>(1)
        .Set<&RateCounter::expires_at>(limit.is_sliding ? end + limit.length() : end)
        .OrCreate()
        .Commit()
        .and_then([&](const RateCounter& counted) -> Result<std::int64_t> {
          if (limit.is_sliding || limit.is_busy) return Usage(subject, limit, now);
          return counted.hits;
        })
        .transform(
            [&](std::int64_t hits) { return RateDecision(hits <= limit.hits_max, hits, end); });
  }

  // Returns the hits in the window that a Hit at the time `at` would check; by default, now. A sliding
  // window includes a part of the hits of the fixed window before (RateLimit::is_sliding). One Query of
  // RATELIMIT#<subject>#<shard>, with SK from the first window that counts. A busy subject has ten
  // partitions, for which DynamoDB needs ten requests.
  Result<std::int64_t> Usage(const std::string& subject, const RateLimit& limit,
                             std::optional<Timestamp> at = {}) const {
    const Timestamp now = at.value_or(table.Now());
    const Timestamp start = limit.StartOf(now);
    const auto length = limit.length();
    const auto shards = limit.is_busy ? Sharded<10>::All() : std::vector{Sharded<10>(0)};
    const auto count = [&](const std::vector<RateCounter>& counters) {
      std::int64_t hits = 0;
      for (const RateCounter& one : counters) {
        const bool is_previous = one.window_start < start;
        hits += is_previous ? one.hits * (start + length - now) / length : one.hits;
      }
      return hits;
    };
    return table.Query<RateCounter>()
        .With<&RateCounter::subject>(subject)
        .WithEach<&RateCounter::shard>(shards)
        .With<&RateCounter::window_seconds>(length.count())
        .AtLeast<&RateCounter::window_start>(limit.is_sliding ? start - length : start)
        .All()
        .transform(count);
  }

  // Takes a token from a subject's bucket, if there is one. GetItem RATELIMIT#<subject>/BUCKET; then,
  // if the hit is allowed, TransactWriteItems: Put with a condition on the version. Begins again if
  // another hit has changed the bucket in between. A full bucket expires.
  Result<RateDecision> Take(const std::string& subject, const BucketLimit& limit) const {
    using std::chrono::milliseconds;
    RateDecision decision;
    const auto take = [&](EntityTransaction& transaction) {
      return table.Find(TokenBucket{.subject = subject}).and_then([&](const auto& found) -> Status {
        TokenBucket bucket = found.value_or(TokenBucket{.subject = subject});
        const Timestamp now = table.Now();
        const milliseconds refill = std::max(limit.refill, milliseconds(1));
        bucket.expires_at = bucket.full_at = std::max(bucket.full_at, now) + refill;
        const std::int64_t missing = (bucket.full_at - now + refill - milliseconds(1)) / refill;
        decision = {missing <= limit.tokens_max, missing, bucket.full_at};
        if (decision.is_allowed) transaction.Put(bucket);
        return {};
      });
    };
    // A failed attempt means that another hit has succeeded.
    return table.Retry(take, {.attempts_max = 100}).and_return(decision);
  }
};

struct CircuitPolicy {
  std::int64_t failures_max = 5;  // this many failures open the circuit
  std::chrono::seconds reset_timeout = std::chrono::seconds(30);
};

// - kClosed: the service may be called.
// - kOpen: the service must not be called. It has failed failures_max times, the last time less than
//   reset_timeout ago.
// - kHalfOpen: reset_timeout has passed. One caller may try the service.
enum class CircuitPhase : std::uint8_t { kClosed, kOpen, kHalfOpen };

// A handle to the circuits in the table. Thread-safe.
//
// A success closes the circuit. A failure of the trial opens it again. If no program calls the service
// for a second reset_timeout, the circuit expires and is closed.
//
// Errors besides the database's own:
// - kValidation: a service's name is empty.
struct Circuits {
  EntityTable table;

  // Returns the phase of a service's circuit. GetItem CIRCUIT#<service>/STATE.
  Result<CircuitPhase> GetPhase(const std::string& service, const CircuitPolicy& policy) const {
    return table.Find(Circuit{.service = service}).transform([&](const auto& found) {
      return PhaseOf(found, policy);
    });
  }

  // Returns true if the caller may call the service now. It must then call RecordFailure or
  // RecordSuccess. Of several callers of a half-open circuit, one gets true; if it records nothing,
  // another one after reset_timeout. GetItem CIRCUIT#<service>/STATE; if the circuit is half-open,
  // UpdateItem: SET retryAt, with a condition on the version.
  Result<bool> MayCall(const std::string& service, const CircuitPolicy& policy) const {
    return table.Find(Circuit{.service = service}).and_then([&](const auto& found) -> Result<bool> {
      const CircuitPhase phase = PhaseOf(found, policy);
      if (phase != CircuitPhase::kHalfOpen) return phase == CircuitPhase::kClosed;
      // A conflict means that another caller has changed the circuit.
      const auto claim = table.Update(*found, DelayTrial(policy).IfVersion(found->version));
      const bool is_late = claim.status().code() == StatusCode::kTransactionConflict;
      return is_late ? Result(false) : claim.status().and_return(true);
    });
  }

  // Counts a failure and returns the failures. UpdateItem CIRCUIT#<service>/STATE: ADD failures 1,
  // SET retryAt, ttl.
  Result<Circuit> RecordFailure(const std::string& service, const CircuitPolicy& policy) const {
    return table.Update(Circuit{.service = service},
                        DelayTrial(policy).Add<&Circuit::failures>(1).OrCreate());
  }

  // Forgets all failures. Succeeds if there are none. BatchWriteItem of one deletion.
  Status RecordSuccess(const std::string& service) const {
    return table.BatchRemove<Circuit>({{.service = service}});
  }

  CircuitPhase PhaseOf(const std::optional<Circuit>& circuit, const CircuitPolicy& policy) const {
    if (!circuit || circuit->failures < policy.failures_max) return CircuitPhase::kClosed;
    return table.Now() < circuit->retry_at ? CircuitPhase::kOpen : CircuitPhase::kHalfOpen;
  }

  // Returns the changes that delay the next trial by the timeout. The item expires a second timeout
  // later.
  Changes<Circuit> DelayTrial(const CircuitPolicy& policy) const {
    const Timestamp retry_at = table.Now() + policy.reset_timeout;
    return Changes<Circuit>().Set<&Circuit::retry_at>(retry_at).Set<&Circuit::expires_at>(
        retry_at + policy.reset_timeout);
  }
};

}  // namespace dolmen::user
