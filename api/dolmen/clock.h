// Time as the database sees it.  Everything in Dolmen that asks for the time asks one Clock, which
// the caller may replace, so that a test of thirty minutes takes a millisecond.

#pragma once

#include <atomic>
#include <chrono>
#include <memory>
#include <string>
#include <string_view>

#include "dolmen/result.h"

namespace dolmen {

// Milliseconds since 1970 UTC.
using Timestamp = std::chrono::sys_time<std::chrono::milliseconds>;

// Implementations must be callable from any thread and must not throw.
class Clock {
 public:
  virtual ~Clock() = default;
  virtual Timestamp Now() = 0;

  // The machine's clock.
  static std::shared_ptr<Clock> System();
};

// Stands still until it is told to move.  Callable from any thread.
class ManualClock : public Clock {
 public:
  explicit ManualClock(Timestamp start = Timestamp()) : now_(start) {}

  Timestamp Now() override { return now_.load(); }
  void Set(Timestamp now) { now_.store(now); }
  void Advance(std::chrono::milliseconds by) {
    Timestamp now = now_.load();
    while (!now_.compare_exchange_weak(now, now + by)) {
    }
  }

 private:
  std::atomic<Timestamp> now_;
};

// "2026-04-15T10:30:00Z", or "2026-04-15T10:30:00.250Z" if there are milliseconds.  Texts of one
// precision sort as the times do.  REQUIRES: a year from 0 to 9999.
std::string ToIso8601(Timestamp time);

// Reads what ToIso8601 writes, and ".000" too.  kValidation for anything else, impossible dates
// included.
Result<Timestamp> ParseIso8601(std::string_view text);

}  // namespace dolmen
