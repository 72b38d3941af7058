// Time. All parts of a database read the time from one Clock: expiry, streams, tokens. A test can use a
// clock of its own and advance the time by thirty minutes without waiting.
//
//   const auto clock = std::make_shared<ManualClock>(*ParseIso8601("2026-04-15T10:30:00Z"));
//   const auto db = Database::InMemory({.clock = clock});
//   ...
//   clock->Advance(std::chrono::minutes(30));

#pragma once

#include "dolmen/internal/hide_macros.h"

#include <chrono>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "dolmen/result.h"

namespace dolmen {

// A time in milliseconds since 1970 UTC.
using Timestamp = std::chrono::sys_time<std::chrono::milliseconds>;

class ManualClock;

// A source of the time. Implementations are thread-safe and do not throw. The time may go back.
// Sequence numbers, ULIDs and times of stream records never decrease, even if the time goes back.
class Clock {
 public:
  virtual ~Clock() = default;

  // Returns the current time. Called by every operation that needs it, also while rows are locked, so it
  // should be fast and must not use the database.
  virtual Timestamp Now() = 0;

  // Returns a new clock for a fork of a database that has this clock (Database::Fork). Null: the fork
  // has this clock, too.
  virtual std::shared_ptr<Clock> Fork() { return nullptr; }

  // Returns this clock if it is a ManualClock, otherwise null. A simulation (simulate.h) advances the
  // clock for a latency.
  virtual ManualClock* AsManualClock() { return nullptr; }

  // Returns the clock of the operating system. All calls return the same object.
  static std::shared_ptr<Clock> System();
};

// A shared owner of a clock.
using SharedClock = std::shared_ptr<Clock>;

// A clock whose time changes only by Set and Advance. Thread-safe.
class ManualClock : public Clock {
 public:
  // Makes a clock that shows the time `start`, by default the start of 1970.
  explicit ManualClock(Timestamp start = Timestamp()) : now_(start) {}

  Timestamp Now() override;
  // Returns a ManualClock that shows the same time and is set on its own.
  SharedClock Fork() override;
  ManualClock* AsManualClock() override { return this; }

  // Set the time, or move it by a duration, which may be negative. Concurrent calls of Advance all
  // take effect.
  void Set(Timestamp now);
  void Advance(std::chrono::milliseconds by);

 private:
  Timestamp now_;  // read and written atomically
};

// Returns "2026-04-15T10:30:00Z", or "2026-04-15T10:30:00.250Z" if there are milliseconds. Texts
// sort as their times do if all of them have milliseconds, or if none of them has.
// REQUIRES: the year is 0 to 9999.
std::string ToIso8601(Timestamp time);

// Parses a text in the form that ToIso8601 writes; ".000" is also accepted. No other form of ISO
// 8601 is accepted.
// - kValidation: the text does not have this form, or the date or the time does not exist.
Result<Timestamp> ParseIso8601(std::string_view text);

}  // namespace dolmen

#include "dolmen/internal/show_macros.h"
