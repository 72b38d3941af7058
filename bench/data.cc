#include "bench/data.h"

#include <array>
#include <chrono>
#include <cstdio>
#include <string_view>

#include "dolmen/clock.h"

namespace dolmen::bench {
namespace {

constexpr std::int64_t kFirstMessageMilliseconds = 1'709'283'600'000;  // 2024-03-01 09:00 UTC
constexpr std::uint64_t kMillisecondsApart = 40;

constexpr std::array<std::string_view, 32> kWords = {
    "we",     "can",     "ship",  "by",       "Friday",  "if",     "the",   "tests",
    "pass",   "tonight", "and",   "nobody",   "minds",   "that",   "our",   "release",
    "notes",  "are",     "still", "a",        "draft",   "please", "look",  "at",
    "thread", "before",  "lunch", "tomorrow", "morning", "so",     "let's", "talk",
};

std::int64_t SentAt(std::uint64_t i) {
  return kFirstMessageMilliseconds + static_cast<std::int64_t>(i * kMillisecondsApart);
}

std::string Padded(const char* format, std::uint64_t number) {
  std::array<char, 32> text;
  const int size = std::snprintf(text.data(), text.size(), format, number);
  return {text.data(), static_cast<std::size_t>(size)};
}

}  // namespace

// Five bits a character.  https://github.com/ulid/spec
std::string Ulid(std::int64_t milliseconds, Random random) {
  constexpr std::string_view kAlphabet = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";
  std::string ulid;
  for (int shift = 45; shift >= 0; shift -= 5) {
    ulid += kAlphabet[static_cast<std::size_t>(milliseconds >> shift) % kAlphabet.size()];
  }
  while (ulid.size() < 26) ulid += kAlphabet[random.Below(kAlphabet.size())];
  return ulid;
}

std::string Body(Random random) {
  const std::uint64_t words = 8 + random.Below(13);
  std::string body;
  for (std::uint64_t i = 0; i < words; ++i) {
    if (i > 0) body += ' ';
    body += kWords[random.Below(kWords.size())];
  }
  return body;
}

std::string UserId(std::uint64_t user) { return Padded("u_%06lu", user); }

DataSet ChatData::data_set() const {
  return {.size = messages_, .item = [data = *this](std::uint64_t i) { return data.Message(i); }};
}

std::string ChatData::PartitionKey(std::uint64_t conversation) {
  return Padded("CONVO#c_%04lu", conversation + 1);
}

std::string ChatData::SortKey(std::uint64_t i) {
  return kSortKeyPrefix + Ulid(SentAt(i), Random(i));
}

Item ChatData::Message(std::uint64_t i) const {
  const std::uint64_t conversation = i % conversations();
  const std::string partition_key = PartitionKey(conversation);
  const std::string sort_key = SortKey(i);
  return {
      {"PK", partition_key},
      {"SK", sort_key},
      {"body", Body(Random(~i))},
      {"conversationId", partition_key.substr(partition_key.find('#') + 1)},
      {"createdAt", ToIso8601(Timestamp(std::chrono::milliseconds(SentAt(i))))},
      {"edited", i % 16 == 0},
      {"messageId", sort_key.substr(sort_key.find('#') + 1)},
      {"senderId", UserId(Random(i).Below(100'000))},
      {"type", "Message"},
  };
}

std::uint64_t Random::Next() {
  std::uint64_t z = state_ += 0x9E3779B97F4A7C15;
  z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9;
  z = (z ^ (z >> 27)) * 0x94D049BB133111EB;
  return z ^ (z >> 31);
}

}  // namespace dolmen::bench
