// Time and ids. All parts of a database read the time from one Clock: expiry, streams, tokens. A
// test can use a clock of its own and advance the time by thirty minutes without waiting.
//
//   #include <memory>
//   const auto clock = std::make_shared<ManualClock>(*ParseIso8601("2026-04-15T10:30:00Z"));
//   const auto db = Database::InMemory({.clock = clock});
//   ...
//   clock->Advance(std::chrono::minutes(30));
//
// ULIDs: 26 characters that are unique and sort by the time at which they were generated. They can
// serve as sort keys of messages and events.
//
//   UlidGenerator ids(db.clock());
//   const std::string sort_key = "MSG#" + ids.Next();  // MSG#01KP8BNQD0...
//
// A ULID has 10 characters for the milliseconds since 1970 and 16 characters for 80 random bits, in
// Crockford's Base32, upper case.
// https://github.com/ulid/spec
//
// UUIDs of version 4: 36 characters that tell nothing about the time. They can serve as ids that
// another program or a person must not be able to guess, or that must not reveal an order.
//
//   const std::string id = NewUuid();  // "9b2f7a66-0a5c-4c57-9d0e-3f5f0a1b7c21"

#pragma once

#include <chrono>
#include <cstdint>
#include <string>
#include <string_view>

#include "dolmen/internal/shared.h"
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

  // Returns the current time. Called by every operation that needs it, so it should be fast.
  virtual Timestamp Now() = 0;

  // Returns a new clock for a fork of a database that has this clock (Database::Fork). Null: the fork
  // has this clock, too.
  virtual internal::Shared<Clock> Fork() { return nullptr; }

  // Returns this clock if it is a ManualClock, otherwise null. A simulation (simulate.h) advances the
  // clock for a latency.
  virtual ManualClock* AsManualClock() { return nullptr; }

  // Returns the clock of the operating system. All calls return the same object.
  static internal::Shared<Clock> System();
};

// A shared owner of a clock. A std::shared_ptr to a Clock, or to a derived class, converts to it.
using SharedClock = internal::Shared<Clock>;

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

// A source of ULIDs. The ULIDs of one generator strictly increase, even within one millisecond and
// when the clock goes back. The ULIDs of several generators differ, because their random bits
// differ. Thread-safe; neither copyable nor movable.
class UlidGenerator {
 public:
  // Seeds the random part from the operating system's source of randomness. The ULIDs are unique,
  // but not secret: do not use them as passwords or session keys. REQUIRES: clock != nullptr
  explicit UlidGenerator(SharedClock clock);

  // Seeds the random part with `seed`, which makes the ULIDs repeatable in a test.
  UlidGenerator(SharedClock clock, std::uint64_t seed);

  UlidGenerator(const UlidGenerator&) = delete;
  UlidGenerator& operator=(const UlidGenerator&) = delete;

  // Returns the next ULID.
  std::string Next();

 private:
  friend class UlidGeneratorPeer;  // for tests of an overflow after 2^80 ids

  struct State;
  internal::Shared<State> state_;
};

// Returns the least ULID of `time`, as the bound of a range: every ULID generated at `time` or
// later is equal to it or sorts above it. Times before 1970 count as 1970. Times past the year
// 10889 count as the last time that a ULID can hold.
std::string LowestUlid(Timestamp time);

// Returns the time at which `ulid` was generated.
// - kValidation: the text does not have 26 characters of Crockford's Base32 in upper case, or
//   begins with a character above 7.
Result<Timestamp> UlidTime(std::string_view ulid);

// Returns a new UUID of version 4: 122 random bits from the operating system's source of
// randomness, as lower-case hexadecimal digits in groups. If that source fails, the bits come from
// the time; the UUID can then be guessed. Thread-safe.
// https://www.rfc-editor.org/rfc/rfc9562#name-uuid-version-4
std::string NewUuid();

}  // namespace dolmen
