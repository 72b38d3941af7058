// ULIDs: 26 characters that are unique and sort by the time at which they were made; the sort keys
// of messages and events.  https://github.com/ulid/spec

#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <mutex>
#include <random>
#include <string>
#include <string_view>

#include "dolmen/clock.h"
#include "dolmen/result.h"

namespace dolmen {

// Makes ULIDs that strictly increase, also within one millisecond and when the clock goes back.
// Callable from any thread.
class UlidGenerator {
 public:
  // `seed` makes the random part repeatable, for tests; by default it is the system's randomness.
  explicit UlidGenerator(std::shared_ptr<Clock> clock);
  UlidGenerator(std::shared_ptr<Clock> clock, std::uint64_t seed);

  std::string Next();

 private:
  friend class UlidGeneratorPeer;  // for tests of what takes 2^80 ids to happen

  // REQUIRES, but for the constructor: mutex_ is held.
  void Randomize();
  void Increment();

  std::shared_ptr<Clock> clock_;
  std::mutex mutex_;
  std::mt19937_64 random_;
  std::uint64_t milliseconds_ = 0;
  std::array<std::uint16_t, 5> randomness_ = {};  // 80 bits, most significant first
};

// The least ULID of `time`: every ULID made at or after it sorts at or above.  Times before 1970
// count as 1970, times past the year 10889 as the last one that a ULID can hold.
std::string LowestUlid(Timestamp time);

// The time at which `ulid` was made.  kValidation if it is not a ULID (26 characters of Crockford's
// Base32, upper case).
Result<Timestamp> UlidTime(std::string_view ulid);

}  // namespace dolmen
