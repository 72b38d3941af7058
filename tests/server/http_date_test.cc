// Tests of times in the format of HTTP's Date header.

#include "server/http_date.h"

#include <gtest/gtest.h>

#include <chrono>
#include <cstdint>
#include <string>
#include <string_view>

namespace dolmen::test {
namespace {

using std::chrono::milliseconds;

Timestamp AtMilliseconds(std::int64_t count) { return Timestamp(milliseconds(count)); }

TEST(HttpDateTest, WritesTheVectors) {
  struct {
    std::int64_t milliseconds;
    std::string_view text;
  } const vectors[] = {{784111777000, "Sun, 06 Nov 1994 08:49:37 GMT"},  // RFC 9110
                       {0, "Thu, 01 Jan 1970 00:00:00 GMT"},
                       {999, "Thu, 01 Jan 1970 00:00:00 GMT"},
                       {-1, "Wed, 31 Dec 1969 23:59:59 GMT"},
                       {951825600000, "Tue, 29 Feb 2000 12:00:00 GMT"},
                       {4107542399000, "Sun, 28 Feb 2100 23:59:59 GMT"},
                       {4107542400000, "Mon, 01 Mar 2100 00:00:00 GMT"}};
  for (const auto& [count, text] : vectors) {
    EXPECT_EQ(server::ToHttpDate(AtMilliseconds(count)), text);
  }
}

TEST(HttpDateTest, EveryMonthAndDayOfTheWeekHasItsName) {
  const std::string_view months[] = {"Jan", "Feb", "Mar", "Apr", "May", "Jun",
                                     "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"};
  for (unsigned month = 1; month <= 12; ++month) {
    const std::chrono::sys_days day = std::chrono::year(2026) / month / 1;
    EXPECT_EQ(server::ToHttpDate(day).substr(8, 3), months[month - 1]);
  }
  const std::string_view days[] = {"Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"};
  const std::chrono::sys_days monday = std::chrono::year(2026) / 1 / 5;
  for (int day = 0; day < 7; ++day) {
    EXPECT_EQ(server::ToHttpDate(monday + std::chrono::days(day)).substr(0, 3), days[day]);
  }
}

TEST(HttpDateTest, TheCachedTextChangesWithEverySecondInBothDirections) {
  server::HttpDate date;
  for (const std::int64_t count : {0, 999, 1000, 1999, 60'000, 500, -1, 0}) {
    EXPECT_EQ(date.At(AtMilliseconds(count)), server::ToHttpDate(AtMilliseconds(count))) << count;
  }
}

}  // namespace
}  // namespace dolmen::test
