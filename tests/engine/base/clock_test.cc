#include "dolmen/clock.h"

#include <gtest/gtest.h>

#include <chrono>
#include <string>
#include <string_view>

#include "tests/support/status_matchers.h"

namespace dolmen {
namespace {

using std::chrono::milliseconds;
using test::IsOk;
using test::StatusIs;
using testing::_;

struct Vector {
  std::int64_t milliseconds;
  std::string_view text;
};

// Pairs of times and texts. They cover the first and the last valid time, times before and after
// 1970, the start of a leap day, and texts with and without milliseconds.
constexpr Vector kVectors[] = {
    {0, "1970-01-01T00:00:00Z"},
    {-1, "1969-12-31T23:59:59.999Z"},
    {1, "1970-01-01T00:00:00.001Z"},
    {951782399990, "2000-02-28T23:59:59.990Z"},
    {951782400000, "2000-02-29T00:00:00Z"},
    {1776249000000, "2026-04-15T10:30:00Z"},
    {1776249000250, "2026-04-15T10:30:00.250Z"},
    {-62167219200000, "0000-01-01T00:00:00Z"},
    {253402300799999, "9999-12-31T23:59:59.999Z"},
};

TEST(Iso8601Test, WritesGoldenVectors) {
  for (const auto& [count, text] : kVectors) {
    EXPECT_EQ(ToIso8601(Timestamp(milliseconds(count))), text);
  }
}

TEST(Iso8601Test, ReadsGoldenVectors) {
  for (const auto& [count, text] : kVectors) {
    const Result<Timestamp> time = ParseIso8601(text);
    ASSERT_THAT(time, IsOk());
    EXPECT_EQ(time->time_since_epoch().count(), count) << text;
  }
}

// ParseIso8601 accepts three zero decimals, because JavaScript's toISOString() writes them.
TEST(Iso8601Test, ReadsZeroDecimals) {
  const Result<Timestamp> time = ParseIso8601("2026-04-15T10:30:00.000Z");
  ASSERT_THAT(time, IsOk());
  EXPECT_EQ(ToIso8601(*time), "2026-04-15T10:30:00Z");
}

TEST(Iso8601Test, RefusesTextInAnyOtherForm) {
  constexpr std::string_view kBad[] = {
      "",
      "2026-04-15",
      "2026-04-15T10:30Z",
      "2026-04-15T10:30:00",
      "2026-04-15 10:30:00Z",
      "2026-04-15T10:30:00z",
      "2026-04-15T10:30:00+00:00",
      "2026-04-15T10:30:00.2Z",
      "2026-04-15T10:30:00.250000Z",
      " 2026-04-15T10:30:00Z",
      "2026-04-15T10:30:00Z ",
      "-026-04-15T10:30:00Z",
      "2026-+4-15T10:30:00Z",
      "2026-00-15T10:30:00Z",
      "2026-13-15T10:30:00Z",
      "2026-04-00T10:30:00Z",
      "2026-04-31T10:30:00Z",
      "2026-02-29T10:30:00Z",
      "1900-02-29T10:30:00Z",
      "2026-04-15T24:00:00Z",
      "2026-04-15T10:60:00Z",
      "2026-04-15T10:30:60Z",
      std::string_view("2026-04-15T10:30:0\0Z", 20),
  };
  for (const std::string_view text : kBad) {
    EXPECT_THAT(ParseIso8601(text), StatusIs(StatusCode::kValidation, _)) << text;
  }
  EXPECT_NE(ParseIso8601("yesterday").status().message().find("\"yesterday\""), std::string::npos);
}

TEST(ClockTest, SystemClockReturnsTheTimeOfTheMachine) {
  const auto before = std::chrono::floor<milliseconds>(std::chrono::system_clock::now());
  const Timestamp now = Clock::System()->Now();
  const auto after = std::chrono::floor<milliseconds>(std::chrono::system_clock::now());
  EXPECT_LE(before, now);
  EXPECT_LE(now, after);
}

TEST(ClockTest, ManualClockChangesOnlyByAdvanceAndSet) {
  ManualClock clock(Timestamp(milliseconds(1000)));
  EXPECT_EQ(clock.Now(), Timestamp(milliseconds(1000)));
  clock.Advance(std::chrono::minutes(30));
  EXPECT_EQ(clock.Now(), Timestamp(milliseconds(1801000)));
  clock.Set(Timestamp(milliseconds(5)));
  EXPECT_EQ(clock.Now(), Timestamp(milliseconds(5)));
}

}  // namespace
}  // namespace dolmen
