#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <memory>
#include <set>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "dolmen/clock.h"
#include "dolmen/ulid.h"
#include "dolmen/uuid.h"
#include "engine/base/ulid_state.h"
#include "tests/support/status_matchers.h"

namespace dolmen {

class UlidGeneratorPeer {
 public:
  static void ExhaustRandomness(UlidGenerator* generator) {
    generator->state_->randomness.fill(0xFFFF);
  }
};

namespace {

using std::chrono::milliseconds;
using test::IsOkAndHolds;
using test::StatusIs;
using testing::_;

Timestamp At(std::int64_t count) { return Timestamp(milliseconds(count)); }

TEST(UlidTest, LowestUlidMatchesGoldenVectors) {
  EXPECT_EQ(LowestUlid(At(0)), "00000000000000000000000000");
  EXPECT_EQ(LowestUlid(At(1)), "00000000010000000000000000");
  // The tests of the ULID specification's reference implementation (JavaScript) contain this time
  // and this ULID prefix.
  EXPECT_EQ(LowestUlid(At(1469918176385)), "01ARYZ6S410000000000000000");
  EXPECT_EQ(LowestUlid(At(281474976710655)), "7ZZZZZZZZZ0000000000000000");
}

TEST(UlidTest, LowestUlidClampsTimesOutOfRange) {
  EXPECT_EQ(LowestUlid(At(-1)), LowestUlid(At(0)));
  EXPECT_EQ(LowestUlid(Timestamp::min()), LowestUlid(At(0)));
  EXPECT_EQ(LowestUlid(At(281474976710656)), LowestUlid(At(281474976710655)));
  EXPECT_EQ(LowestUlid(Timestamp::max()), LowestUlid(At(281474976710655)));
}

TEST(UlidTest, UlidTimeReturnsTheEncodedTime) {
  for (const std::int64_t count : {0L, 1L, 31L, 32L, 1469918176385L, 281474976710655L}) {
    EXPECT_THAT(UlidTime(LowestUlid(At(count))), IsOkAndHolds(At(count)));
  }
  EXPECT_THAT(UlidTime("01ARYZ6S41TSV4RRFFQ69G5FAV"), IsOkAndHolds(At(1469918176385)));
}

TEST(UlidTest, UlidTimeRefusesMalformedText) {
  constexpr std::string_view kBad[] = {
      "",
      "01ARYZ6S41TSV4RRFFQ69G5FA",    // 25 characters
      "01ARYZ6S41TSV4RRFFQ69G5FAVV",  // 27 characters
      "01aryz6s41tsv4rrffq69g5fav",   // lower case sorts differently
      "01ARYZ6S41TSV4RRFFQ69G5FAI",   // Crockford's Base32 leaves out I, L, O and U
      "01ARYZ6S41TSV4RRFFQ69G5FAL",
      "O1ARYZ6S41TSV4RRFFQ69G5FAV",
      "01ARYZ6S41TSV4RRFFQ69G5FAU",
      "01ARYZ6S41TSV4RRFFQ69G5FA-",
      "80000000000000000000000000",  // 129 bits
  };
  for (const std::string_view text : kBad) {
    EXPECT_THAT(UlidTime(text), StatusIs(StatusCode::kValidation, _)) << text;
  }
}

TEST(UlidGeneratorTest, NewMillisecondHasNewRandomness) {
  const auto clock = std::make_shared<ManualClock>(At(1469918176385));
  UlidGenerator generator(clock);
  const std::string first = generator.Next();
  clock->Advance(milliseconds(1));
  const std::string second = generator.Next();
  EXPECT_EQ(first.substr(0, 10), "01ARYZ6S41");
  EXPECT_EQ(second.substr(0, 10), "01ARYZ6S42");
  EXPECT_NE(first.substr(10), second.substr(10));
}

TEST(UlidGeneratorTest, EqualSeedsGiveEqualIds) {
  const auto clock = std::make_shared<ManualClock>(At(1469918176385));
  UlidGenerator a(clock, 42);
  UlidGenerator b(clock, 42);
  UlidGenerator c(clock, 43);
  const std::string id = a.Next();
  EXPECT_EQ(id, b.Next());
  EXPECT_NE(id, c.Next());
}

TEST(UlidGeneratorTest, UnseededGeneratorsGiveDifferentIdsAtTheSameTime) {
  const auto clock = std::make_shared<ManualClock>();
  EXPECT_NE(UlidGenerator(clock).Next(), UlidGenerator(clock).Next());
}

TEST(UlidGeneratorTest, IncreasesWithinOneMillisecond) {
  UlidGenerator generator(std::make_shared<ManualClock>(At(1469918176385)), 1);
  std::string last = generator.Next();
  for (int i = 0; i < 100'000; ++i) {  // the lowest word of 16 bits overflows
    std::string next = generator.Next();
    ASSERT_LT(last, next);
    ASSERT_EQ(next.substr(0, 10), "01ARYZ6S41");
    last = std::move(next);
  }
}

TEST(UlidGeneratorTest, IncreasesWhenTheClockGoesBack) {
  const auto clock = std::make_shared<ManualClock>(At(1469918176385));
  UlidGenerator generator(clock);
  const std::string before = generator.Next();
  clock->Advance(-std::chrono::hours(1));
  const std::string after = generator.Next();
  EXPECT_LT(before, after);
  EXPECT_EQ(after.substr(0, 10), "01ARYZ6S41");
  clock->Advance(std::chrono::hours(2));
  EXPECT_THAT(UlidTime(generator.Next()), IsOkAndHolds(clock->Now()));
}

TEST(UlidGeneratorTest, RandomPartOverflowsIntoTheMilliseconds) {
  const auto clock = std::make_shared<ManualClock>(At(1469918176385));
  UlidGenerator generator(clock);
  const std::string before = generator.Next();
  UlidGeneratorPeer::ExhaustRandomness(&generator);
  EXPECT_EQ(generator.Next(), "01ARYZ6S420000000000000000");
  EXPECT_LT(before, "01ARYZ6S420000000000000000");
  clock->Advance(milliseconds(1));  // the clock reaches the time that the generator already uses
  EXPECT_EQ(generator.Next(), "01ARYZ6S420000000000000001");
}

TEST(UlidGeneratorTest, EveryUlidSortsAtOrAboveTheLowestOfItsTime) {
  const auto clock = std::make_shared<ManualClock>(At(1469918176385));
  UlidGenerator generator(clock);
  for (int i = 0; i < 1000; ++i, clock->Advance(milliseconds(i % 2))) {
    const std::string id = generator.Next();
    EXPECT_GE(id, LowestUlid(clock->Now()));
    EXPECT_LT(id, LowestUlid(clock->Now() + milliseconds(1)));
  }
}

TEST(UlidGeneratorTest, ConcurrentIdsAreUniqueAndIncreaseInEachThread) {
  constexpr std::size_t kThreads = 8;
  constexpr std::size_t kIdsPerThread = 20'000;
  UlidGenerator generator(Clock::System());
  std::vector<std::vector<std::string>> ids(kThreads);
  {
    std::vector<std::jthread> threads;
    for (std::vector<std::string>& mine : ids) {
      threads.emplace_back([&generator, &mine] {
        while (mine.size() < kIdsPerThread) mine.push_back(generator.Next());
      });
    }
  }

  std::vector<std::string> all;
  for (const std::vector<std::string>& mine : ids) {
    EXPECT_TRUE(std::ranges::is_sorted(mine)) << "the ids of one thread do not increase";
    all.insert(all.end(), mine.begin(), mine.end());
  }
  std::ranges::sort(all);
  EXPECT_EQ(std::ranges::adjacent_find(all), all.end()) << "two ids are equal";
  EXPECT_EQ(all.size(), kThreads * kIdsPerThread);
}

TEST(UuidTest, HasTheFormOfVersion4) {
  for (int i = 0; i < 100; ++i) {
    EXPECT_THAT(NewUuid(),
                testing::MatchesRegex("[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-"
                                      "[0-9a-f]{12}"));
  }
}

// With 1000 UUIDs, a digit is absent from a position by chance less than once in 10^25 runs.
TEST(UuidTest, EveryRandomBitChanges) {
  std::set<std::string> uuids;
  std::array<std::set<char>, 36> digits;
  for (int i = 0; i < 1000; ++i) {
    const std::string uuid = NewUuid();
    uuids.insert(uuid);
    for (std::size_t at = 0; at < uuid.size(); ++at) digits[at].insert(uuid[at]);
  }
  EXPECT_EQ(uuids.size(), 1000U);
  for (std::size_t at = 0; at < digits.size(); ++at) {
    const bool is_fixed = at == 8 || at == 13 || at == 14 || at == 18 || at == 23;
    EXPECT_EQ(digits[at].size(), is_fixed ? 1U : at == 19 ? 4U : 16U) << "position " << at;
  }
}

}  // namespace
}  // namespace dolmen
