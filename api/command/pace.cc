#include "command/pace.h"

#include <algorithm>
#include <thread>
#include <utility>

namespace dolmen::command {
namespace {

constexpr std::chrono::milliseconds kBetweenStops{100};

}  // namespace

Pace::Waiting Pace::Waiting::Real() {
  return {.now = [] { return Clock::now(); },
          .sleep = [](Clock::duration time) { std::this_thread::sleep_for(time); }};
}

Pace::Pace(double per_second, Waiting waiting)
    : per_second_(per_second), waiting_(std::move(waiting)) {}

void Pace::Use(double amount, const std::function<bool()>& stop) {
  if (per_second_ <= 0) return;
  const Clock::time_point until = Add(amount);
  for (Clock::time_point now = waiting_.now(); now < until && !stop(); now = waiting_.now()) {
    waiting_.sleep(std::min<Clock::duration>(until - now, kBetweenStops));
  }
}

Pace::Clock::time_point Pace::Add(double amount) {
  const std::chrono::duration<double> taken(amount / per_second_);
  const MutexLock lock(mutex_);
  passed_ = std::max(passed_, waiting_.now()) + std::chrono::duration_cast<Clock::duration>(taken);
  return passed_;
}

}  // namespace dolmen::command
