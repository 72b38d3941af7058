#include "remote/token_times.h"

#include <chrono>

namespace dolmen::remote {
namespace {

// DynamoDB remembers a token for this time after its transaction.
constexpr std::chrono::minutes kTokenLifetime(10);

}  // namespace

Timestamp TokenTimes::FirstUse(const std::string& token, Timestamp now) {
  const MutexLock lock(mutex_);
  while (!tokens_.empty() && times_.at(tokens_.front()) + kTokenLifetime <= now) {
    times_.erase(tokens_.front());
    tokens_.pop_front();
  }
  const auto [found, is_new] = times_.emplace(token, now);
  if (!is_new) return found->second;
  tokens_.push_back(token);
  if (tokens_.size() > tokens_max_) {
    times_.erase(tokens_.front());
    tokens_.pop_front();
  }
  return now;
}

}  // namespace dolmen::remote
