// The times that a manual clock can show.

#pragma once

#include <chrono>

#include "dolmen/clock.h"
#include "dolmen/result.h"

namespace dolmen::wire {

// The first time that a manual clock can show, and the first one after the last. Times that follow from the clock, such as
// the end of a retention, then have four digits for the year, too.
inline constexpr Timestamp kClockBegin = Timestamp();
inline constexpr Timestamp kClockEnd = std::chrono::sys_days(std::chrono::January / 1 / 9999);

// - kValidation: a manual clock cannot show the time.
inline Status CheckClockTime(Timestamp time) {
  if (time >= kClockBegin && time < kClockEnd) return {};
  return Status::Validation("The time of the clock must be in the years 1970 to 9998.");
}

}  // namespace dolmen::wire
