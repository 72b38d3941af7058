// The times at which the tokens of transactions were first used. A transaction that hides expired items
// contains the time, and a service compares it with the first transaction of its token. So the repetition of
// a transaction has the time of the first one.

#pragma once

#include <cstddef>
#include <deque>
#include <map>
#include <string>

#include "dolmen/clock.h"
#include "engine/base/mutex.h"

namespace dolmen::remote {

// The tokens of the last ten minutes, for which DynamoDB remembers them. Thread-safe.
class TokenTimes {
 public:
  // A token beyond `tokens_max`, at least 1, replaces the oldest token.
  explicit TokenTimes(std::size_t tokens_max = 10'000) : tokens_max_(tokens_max) {}

  // Returns the time at which the token was first used; `now` if it is new, or older than ten minutes.
  Timestamp FirstUse(const std::string& token, Timestamp now);

 private:
  const std::size_t tokens_max_;
  Mutex mutex_;
  std::map<std::string, Timestamp> times_ DOLMEN_GUARDED_BY(mutex_);
  std::deque<std::string> tokens_ DOLMEN_GUARDED_BY(mutex_);  // those of times_, the oldest first
};

}  // namespace dolmen::remote
