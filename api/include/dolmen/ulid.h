// ULIDs: 26 characters that are unique and sort by the time at which they were generated. They can
// serve as sort keys of messages and events.
//
//   UlidGenerator ids(db.clock());
//   const std::string sort_key = "MSG#" + ids.Next();  // MSG#01KP8BNQD0...
//
// A ULID has 10 characters for the milliseconds since 1970 and 16 characters for 80 random bits, in
// Crockford's Base32, upper case.
// https://github.com/ulid/spec

#pragma once

#include "dolmen/internal/hide_macros.h"

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "dolmen/clock.h"
#include "dolmen/result.h"

namespace dolmen {

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
  std::shared_ptr<State> state_;
};

// Returns the least ULID of `time`, as the bound of a range: every ULID generated at `time` or
// later is equal to it or sorts above it. Times before 1970 count as 1970. Times past the year
// 10889 count as the last time that a ULID can hold.
std::string LowestUlid(Timestamp time);

// Returns the time at which `ulid` was generated.
// - kValidation: the text does not have 26 characters of Crockford's Base32 in upper case, or
//   begins with a character above 7.
Result<Timestamp> UlidTime(std::string_view ulid);

}  // namespace dolmen

#include "dolmen/internal/show_macros.h"
