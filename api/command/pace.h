// A limit on the speed of a command: units or bytes a second.

#pragma once

#include <chrono>
#include <functional>

#include "engine/base/mutex.h"

namespace dolmen::command {

// A pace of several threads together. A thread reports an amount after it has used it, because the
// units of a request are known only then, and waits until the pace allows the next request. Over a
// long time the amounts never exceed the pace. Thread-safe.
class Pace {
 public:
  using Clock = std::chrono::steady_clock;

  // The functions for waiting. Only tests replace them.
  struct Waiting {
    std::function<Clock::time_point()> now;
    std::function<void(Clock::duration)> sleep;
    static Waiting Real();
  };

  // Makes a pace of `per_second` amounts a second; 0: no limit.
  explicit Pace(double per_second, Waiting waiting = Waiting::Real());

  // Adds an amount, and waits until the time that all amounts take at this pace has passed since the
  // first of them. Calls `stop` every 100 ms, and returns early once it returns true.
  void Use(double amount, const std::function<bool()>& stop);

 private:
  // Adds the amount and returns the time at which its time has passed.
  Clock::time_point Add(double amount);

  const double per_second_;
  const Waiting waiting_;
  Mutex mutex_;
  Clock::time_point passed_ DOLMEN_GUARDED_BY(mutex_);
};

}  // namespace dolmen::command
