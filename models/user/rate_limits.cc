#include "models/user/rate_limits.h"

#include <algorithm>

namespace dolmen::user {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

// The fixed window that contains a time.
struct Window {
  Window(Timestamp now, const RateLimit& limit)
      : length(std::max(limit.window, seconds(1))),
        start(now - now.time_since_epoch() % length),
        end(start + length) {}

  seconds length;
  Timestamp start;
  Timestamp end;
};

// Returns the hits that count at the time `now`.
Result<std::int64_t> CountHits(const EntityTable& table, const std::string& subject,
                               const RateLimit& limit, Timestamp now) {
  const Window window(now, limit);
  const auto shards = limit.is_busy ? Sharded<10>::All() : std::vector{Sharded<10>(0)};
  return table.Query<RateCounter>()
      .With<&RateCounter::subject>(subject)
      .WithEach<&RateCounter::shard>(shards)
      .With<&RateCounter::window_seconds>(window.length.count())
      .AtLeast<&RateCounter::window_start>(limit.is_sliding ? window.start - window.length
                                                            : window.start)
      .All()
      .transform([&](const std::vector<RateCounter>& counters) {
        std::int64_t hits = 0;
        for (const RateCounter& one : counters) {
          const bool is_previous = one.window_start < window.start;
          const milliseconds counts = is_previous ? window.end - now : window.length;
          hits += one.hits * counts / window.length;
        }
        return hits;
      });
}

}  // namespace

Result<RateDecision> RateLimits::Hit(const std::string& subject, const RateLimit& limit) const {
  const Timestamp now = table.Now();
  const Window window(now, limit);
  const RateCounter counter = {
      .subject = subject,
      .shard = limit.is_busy ? Sharded<10>::OfHash(table.NewUlid()) : Sharded<10>(0),
      .window_seconds = window.length.count(),
      .window_start = window.start};
  return table.Update(counter)
      .Add<&RateCounter::hits>(1)
      .Set<&RateCounter::expires_at>(limit.is_sliding ? window.end + window.length : window.end)
      .OrCreate()
      .Commit()
      .and_then([&](const RateCounter& counted) -> Result<std::int64_t> {
        if (limit.is_sliding || limit.is_busy) return CountHits(table, subject, limit, now);
        return counted.hits;
      })
      .transform([&](std::int64_t hits) {
        return RateDecision{hits <= limit.hits_max, hits, window.end};
      });
}

Result<std::int64_t> RateLimits::Usage(const std::string& subject, const RateLimit& limit) const {
  return CountHits(table, subject, limit, table.Now());
}

Result<RateDecision> RateLimits::Take(const std::string& subject, const BucketLimit& limit) const {
  RateDecision decision;
  const auto take = [&](EntityTransaction& transaction) {
    return table.Find(TokenBucket{.subject = subject}).and_then([&](const auto& found) -> Status {
      TokenBucket bucket = found.value_or(TokenBucket{.subject = subject});
      const Timestamp now = table.Now();
      const milliseconds refill = std::max(limit.refill, milliseconds(1));
      bucket.full_at = std::max(bucket.full_at, now) + refill;
      bucket.expires_at = std::chrono::ceil<seconds>(bucket.full_at);
      const std::int64_t missing = (bucket.full_at - now + refill - milliseconds(1)) / refill;
      decision = {missing <= limit.tokens_max, missing, bucket.full_at};
      if (decision.is_allowed) transaction.Put(bucket);
      return {};
    });
  };
  // A failed attempt means that another hit has succeeded.
  if (Status status = table.Retry(take, {.attempts_max = 100}); !status.ok()) return status;
  return decision;
}

}  // namespace dolmen::user
