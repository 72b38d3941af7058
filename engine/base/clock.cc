#include "dolmen/clock.h"

#include <algorithm>
#include <atomic>
#include <cassert>
#include <charconv>
#include <chrono>
#include <cstddef>
#include <memory>
#include <string>
#include <string_view>

namespace dolmen {
namespace {

using std::chrono::days;
using std::chrono::floor;
using std::chrono::hours;
using std::chrono::milliseconds;
using std::chrono::minutes;
using std::chrono::seconds;

class SystemClock : public Clock {
 public:
  Timestamp Now() override { return floor<milliseconds>(std::chrono::system_clock::now()); }
};

// Returns true if the text has the shape. '0' in the shape matches any digit. Every other character
// in the shape matches only itself.
bool HasShape(std::string_view text, std::string_view shape) {
  return std::ranges::equal(
      text, shape, [](char c, char s) { return s == '0' ? '0' <= c && c <= '9' : c == s; });
}

// Returns the number at the positions [at, at + count) of the text. REQUIRES: the characters at
// these positions are digits.
unsigned Digits(std::string_view text, std::size_t at, std::size_t count) {
  unsigned value = 0;
  std::from_chars(text.data() + at, text.data() + at + count, value);
  return value;
}

// Writes the last `count` digits of `value` to the text.
void PutDigits(unsigned value, std::size_t count, char* text) {
  for (std::size_t i = count; i-- > 0; value /= 10) text[i] = static_cast<char>('0' + value % 10);
}

Status NotATime(std::string_view text) {
  return Status::Validation("The text is not a time in the form 2026-04-15T10:30:00Z: \"" +
                            std::string(text) + "\"");
}

}  // namespace

std::shared_ptr<Clock> Clock::System() {
  static const std::shared_ptr<Clock> kClock = std::make_shared<SystemClock>();
  return kClock;
}

void ManualClock::Set(Timestamp now) { std::atomic_ref(now_).store(now); }

void ManualClock::Advance(milliseconds by) {
  const std::atomic_ref shared(now_);
  Timestamp now = shared.load();
  while (!shared.compare_exchange_weak(now, now + by)) {
  }
}

SharedClock ManualClock::Fork() { return std::make_shared<ManualClock>(Now()); }

Timestamp ManualClock::Now() { return std::atomic_ref(now_).load(); }

std::string ToIso8601(Timestamp time) {
  const auto day = floor<days>(time);
  const std::chrono::year_month_day date(day);
  const std::chrono::hh_mm_ss<milliseconds> clock(time - day);
  const int year = static_cast<int>(date.year());
  assert(0 <= year && year <= 9999);

  // Writes the digits without printf, which takes thousands of instructions. Most items hold a
  // time, so this function must be fast.
  char text[] = "0000-00-00T00:00:00.000Z";
  PutDigits(static_cast<unsigned>(year), 4, text);
  PutDigits(static_cast<unsigned>(date.month()), 2, text + 5);
  PutDigits(static_cast<unsigned>(date.day()), 2, text + 8);
  PutDigits(static_cast<unsigned>(clock.hours().count()), 2, text + 11);
  PutDigits(static_cast<unsigned>(clock.minutes().count()), 2, text + 14);
  PutDigits(static_cast<unsigned>(clock.seconds().count()), 2, text + 17);
  const auto decimals = static_cast<unsigned>(clock.subseconds().count());
  if (decimals != 0) {
    PutDigits(decimals, 3, text + 20);
    return text;
  }
  text[19] = 'Z';
  return std::string(text, 20);
}

Result<Timestamp> ParseIso8601(std::string_view text) {
  const bool has_decimals = HasShape(text, "0000-00-00T00:00:00.000Z");
  if (!has_decimals && !HasShape(text, "0000-00-00T00:00:00Z")) return NotATime(text);

  const std::chrono::year_month_day date(std::chrono::year(static_cast<int>(Digits(text, 0, 4))),
                                         std::chrono::month(Digits(text, 5, 2)),
                                         std::chrono::day(Digits(text, 8, 2)));
  const unsigned hour = Digits(text, 11, 2);
  const unsigned minute = Digits(text, 14, 2);
  const unsigned second = Digits(text, 17, 2);
  if (!date.ok() || hour > 23 || minute > 59 || second > 59) return NotATime(text);

  return std::chrono::sys_days(date) + hours(hour) + minutes(minute) + seconds(second) +
         milliseconds(has_decimals ? Digits(text, 20, 3) : 0);
}

}  // namespace dolmen
