#include "dolmen/ulid.h"

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <exception>
#include <utility>

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

std::string EncodeTime(std::uint64_t milliseconds) {
  std::string text(kTimeChars, kAlphabet[0]);
  for (std::size_t i = kTimeChars; i-- > 0; milliseconds >>= 5)
    text[i] = kAlphabet[milliseconds & 31];
  return text;
}

// Returns a seed from the operating system's source of randomness. If that source fails, returns a
// seed from the time.
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

UlidGenerator::UlidGenerator(std::shared_ptr<Clock> clock)
    : UlidGenerator(std::move(clock), SystemSeed()) {}

UlidGenerator::UlidGenerator(std::shared_ptr<Clock> clock, std::uint64_t seed)
    : clock_(std::move(clock)), random_(seed) {
  // While the clock shows the start of 1970 or an earlier time, Next() only increments the random
  // bits. The constructor fills in the first random bits, so that different generators return
  // different ids even then.
  Randomize();
}

void UlidGenerator::Randomize() {
  const std::uint64_t low = random_();
  for (std::size_t i = 0; i < 4; ++i) randomness_[i] = static_cast<std::uint16_t>(low >> (16 * i));
  randomness_[4] = static_cast<std::uint16_t>(random_());
}

void UlidGenerator::Increment() {
  for (std::size_t i = randomness_.size(); i-- > 0;) {
    if (++randomness_[i] != 0) return;
  }
  // All 80 random bits overflowed to zero. The generator moves to the next millisecond, so that the
  // ids still increase.
  if (milliseconds_ < kMillisecondsMax) ++milliseconds_;
}

std::string UlidGenerator::Next() {
  const std::uint64_t now = ToUlidMilliseconds(clock_->Now());
  const std::lock_guard lock(mutex_);
  if (now > milliseconds_) {
    milliseconds_ = now;
    Randomize();
  } else {
    Increment();
  }

  std::string text = EncodeTime(milliseconds_);
  std::uint32_t bits = 0;
  int count = 0;  // the number of low bits that are not written yet
  for (const std::uint16_t word : randomness_) {
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
  std::int64_t milliseconds = 0;
  for (const char c : ulid.substr(0, kTimeChars)) {
    milliseconds = (milliseconds << 5) | static_cast<std::int64_t>(kAlphabet.find(c));
  }
  return Timestamp(std::chrono::milliseconds(milliseconds));
}

}  // namespace dolmen
