#include "models/user/rate_limits.h"

#include <numeric>
#include <vector>

namespace dolmen::user {
namespace {

constexpr std::int32_t kShardsMax = 100;  // the most partitions of one Query

Status Check(const RateLimit& limit) {
  if (limit.window < std::chrono::seconds(1)) {
    return Status::Validation("a rate limit's window must last at least 1 second");
  }
  if (limit.shards < 1 || limit.shards > kShardsMax) {
    return Status::Validation("a rate limit must have 1 to 100 shards");
  }
  return {};
}

}  // namespace

RateCounter RateLimits::CounterNow(const std::string& subject, const RateLimit& limit) const {
  const auto now = std::chrono::floor<std::chrono::seconds>(table_.Now());
  const Timestamp start = now - now.time_since_epoch() % limit.window;
  return {.subject = subject,
          .window_seconds = limit.window.count(),
          .window_start = start,
          .expires_at = start + limit.window};
}

Result<std::int64_t> RateLimits::Sum(const RateCounter& counter, const RateLimit& limit) const {
  std::vector<std::int32_t> shards(static_cast<std::size_t>(limit.shards));
  std::iota(shards.begin(), shards.end(), 0);
  return table_.Query<RateCounter>()
      .With<&RateCounter::subject>(counter.subject)
      .WithEach<&RateCounter::shard>(shards)
      .With<&RateCounter::window_seconds>(counter.window_seconds)
      .With<&RateCounter::window_start>(counter.window_start)
      .Sum<&RateCounter::hits>();
}

Result<RateDecision> RateLimits::Hit(const std::string& subject, const RateLimit& limit) const {
  if (Status status = Check(limit); !status.ok()) return status;
  RateCounter counter = CounterNow(subject, limit);
  counter.shard =
      static_cast<std::int32_t>(turn_->fetch_add(1) % static_cast<std::uint32_t>(limit.shards));
  const Result<RateCounter> counted = table_.Update(counter)
                                          .Add<&RateCounter::hits>(1)
                                          .Set<&RateCounter::expires_at>(counter.expires_at)
                                          .OrCreate()
                                          .Commit();
  if (!counted.ok()) return counted.status();
  const Result<std::int64_t> hits =
      limit.shards == 1 ? Result<std::int64_t>(counted->hits) : Sum(counter, limit);
  if (!hits.ok()) return hits.status();
  return RateDecision{
      .is_allowed = *hits <= limit.hits_max, .hits = *hits, .resets_at = counter.expires_at};
}

Result<std::int64_t> RateLimits::Usage(const std::string& subject, const RateLimit& limit) const {
  if (Status status = Check(limit); !status.ok()) return status;
  return Sum(CounterNow(subject, limit), limit);
}

}  // namespace dolmen::user
