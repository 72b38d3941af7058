// Tests of the times of signatures, in ISO 8601's basic format and in the format of HTTP's Date.

#include "http/signing_time.h"

#include <gtest/gtest.h>

#include <chrono>
#include <cstdint>
#include <optional>
#include <string_view>

namespace dolmen::test {
namespace {

TEST(SigningTimeTest, BothFormatsAreRead) {
  struct {
    std::string_view basic;
    std::string_view http;
    std::int64_t seconds;
  } const vectors[] = {
      {"20150830T123600Z", "Sun, 30 Aug 2015 12:36:00 GMT", 1440938160},
      {"19700101T000000Z", "Thu, 01 Jan 1970 00:00:00 GMT", 0},
      {"19691231T235959Z", "Wed, 31 Dec 1969 23:59:59 GMT", -1},
      {"20000229T120000Z", "Tue, 29 Feb 2000 12:00:00 GMT", 951825600},
      {"99991231T235959Z", "Fri, 31 Dec 9999 23:59:59 GMT", 253402300799},
  };
  for (const auto& [basic, http, seconds] : vectors) {
    const Timestamp expected{std::chrono::seconds(seconds)};
    EXPECT_EQ(http::ParseSigningTime(basic), expected) << basic;
    EXPECT_EQ(http::ParseSigningTime(http), expected) << http;
    EXPECT_EQ(http::ToSigningTime(expected), basic);
  }
}

TEST(SigningTimeTest, MillisecondsAreDropped) {
  const Timestamp time{std::chrono::milliseconds(1440938160999)};
  EXPECT_EQ(http::ToSigningTime(time), "20150830T123600Z");
  EXPECT_EQ(http::ToSigningTime(Timestamp(std::chrono::milliseconds(-1))), "19691231T235959Z");
}

TEST(SigningTimeTest, TextInAnyOtherFormatIsRejected) {
  for (const std::string_view text :
       {"", "20150830", "20150830T123600", "20150830T123600z", "20150830T123600.000Z",
        "2015-08-30T12:36:00Z", " 20150830T123600Z", "20150830T123600Z ", "2015083OT123600Z",
        "Sun, 30 Aug 2015 12:36:00", "Sunday, 30-Aug-15 12:36:00 GMT", "Sun Aug 30 12:36:00 2015",
        "Sun, 30 aug 2015 12:36:00 GMT", "Sun, 30 anF 2015 12:36:00 GMT",
        "Sun,  3 Aug 2015 12:36:00 GMT"}) {
    EXPECT_EQ(http::ParseSigningTime(text), std::nullopt) << text;
  }
}

TEST(SigningTimeTest, DatesAndTimesThatDoNotExistAreRejected) {
  for (const std::string_view text :
       {"20150230T000000Z", "20150229T000000Z", "20151301T000000Z", "20150001T000000Z",
        "20150100T000000Z", "20150830T240000Z", "20150830T006000Z", "20150830T000060Z",
        "Sun, 31 Feb 2015 12:36:00 GMT", "Sun, 30 Aug 2015 24:00:00 GMT"}) {
    EXPECT_EQ(http::ParseSigningTime(text), std::nullopt) << text;
  }
}

}  // namespace
}  // namespace dolmen::test
