#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <memory>
#include <mutex>
#include <random>
#include <string>
#include <string_view>
#include <utility>

#include "dolmen/ulid.h"
#include "dolmen/uuid.h"
#include "engine/base/ulid_state.h"

namespace dolmen {
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
    : state_(std::make_shared<State>(std::move(clock), seed)) {
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
  return Timestamp(std::chrono::milliseconds(count));
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
