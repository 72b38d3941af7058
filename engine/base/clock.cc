#include "dolmen/clock.h"

#include <algorithm>
#include <atomic>
#include <cassert>
#include <charconv>
#include <chrono>
#include <cstddef>
#include <exception>
#include <memory>
#include <random>
#include <utility>

#include "engine/base/ulid_state.h"

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

internal::Shared<Clock> Clock::System() {
  static const internal::Shared<Clock> kClock = std::make_shared<SystemClock>();
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

namespace {

constexpr std::string_view kAlphabet = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";  // Crockford's Base32
constexpr std::size_t kTimeChars = 10;
constexpr std::size_t kRandomChars = 16;
constexpr std::uint64_t kMillisecondsMax = (std::uint64_t{1} << 48) - 1;

std::uint64_t ToUlidMilliseconds(Timestamp time) {
  const auto count = std::max<std::int64_t>(time.time_since_epoch().count(), 0);
  return std::min(static_cast<std::uint64_t>(count), kMillisecondsMax);
}

std::string EncodeTime(std::uint64_t time) {
  std::string text(kTimeChars, kAlphabet[0]);
  for (std::size_t i = kTimeChars; i-- > 0; time >>= 5) text[i] = kAlphabet[time & 31];
  return text;
}

// Returns random bits from the operating system's source of randomness. If that source fails,
// returns bits from the time.
std::uint64_t SystemSeed() {
  try {
    std::random_device device;
    return (std::uint64_t{device()} << 32) | device();
  } catch (const std::exception&) {
    return static_cast<std::uint64_t>(
        std::chrono::high_resolution_clock::now().time_since_epoch().count());
  }
}

}  // namespace

UlidGenerator::UlidGenerator(SharedClock clock) : UlidGenerator(std::move(clock), SystemSeed()) {}

UlidGenerator::UlidGenerator(SharedClock clock, std::uint64_t seed)
    : state_(internal::Shared<State>::Make(std::move(clock), seed)) {
  // Next() draws new random bits only when the time of its ids increases. This time starts at the
  // start of 1970, so with a clock at or before that time Next() only increments the bits. The
  // constructor draws the first bits, so that the ids of different generators differ even then.
  state_->Randomize();
}

void UlidGenerator::State::Randomize() {
  const std::uint64_t low = random();
  for (std::size_t i = 0; i < 4; ++i) randomness[i] = static_cast<std::uint16_t>(low >> (16 * i));
  randomness[4] = static_cast<std::uint16_t>(random());
}

void UlidGenerator::State::Increment() {
  for (std::size_t i = randomness.size(); i-- > 0;) {
    if (++randomness[i] != 0) return;
  }
  // All 80 random bits overflowed to zero. The generator moves to the next millisecond, so that the
  // ids still increase.
  if (milliseconds < kMillisecondsMax) ++milliseconds;
}

std::string UlidGenerator::Next() {
  const std::uint64_t now = ToUlidMilliseconds(state_->clock->Now());
  const std::lock_guard lock(state_->mutex);
  if (now > state_->milliseconds) {
    state_->milliseconds = now;
    state_->Randomize();
  } else {
    state_->Increment();
  }

  std::string text = EncodeTime(state_->milliseconds);
  std::uint32_t bits = 0;
  int count = 0;  // the number of low bits that are not written yet
  for (const std::uint16_t word : state_->randomness) {
    bits = (bits << 16) | word;
    for (count += 16; count >= 5; count -= 5) text += kAlphabet[(bits >> (count - 5)) & 31];
  }
  return text;
}

std::string LowestUlid(Timestamp time) {
  return EncodeTime(ToUlidMilliseconds(time)).append(kRandomChars, kAlphabet[0]);
}

Result<Timestamp> UlidTime(std::string_view ulid) {
  // 26 characters hold 130 bits and a ULID has 128, so the first character is at most 7.
  if (ulid.size() != kTimeChars + kRandomChars || ulid[0] > '7' ||
      ulid.find_first_not_of(kAlphabet) != std::string_view::npos) {
    return Status::Validation(
        "The text is not a ULID, which is 26 upper-case characters of Crockford's Base32: \"" +
        std::string(ulid) + "\"");
  }
  std::int64_t count = 0;
  for (const char c : ulid.substr(0, kTimeChars)) {
    count = (count << 5) | static_cast<std::int64_t>(kAlphabet.find(c));
  }
  return Timestamp(milliseconds(count));
}

std::string NewUuid() {
  constexpr std::string_view kDigits = "0123456789abcdef";
  std::string text = "00000000-0000-4000-8000-000000000000";
  std::uint64_t bits = 0;
  int count = 0;  // the number of low bits that are not used yet
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '-' || text[i] == '4') continue;
    if (count == 0) {
      bits = SystemSeed();
      count = 64;
    }
    // The digit 8 marks the variant; its two low bits are random.
    text[i] = kDigits[text[i] == '8' ? 8 | (bits & 3) : bits & 15];
    bits >>= 4;
    count -= 4;
  }
  return text;
}

}  // namespace dolmen
