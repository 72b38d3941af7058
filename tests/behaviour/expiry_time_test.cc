// Tests of expiry times: which values of the time attribute expire an item, and when. The rule
// numbers are those of tests/behaviour/README.md.
// https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/howitworks-ttl.html

#include <chrono>
#include <string>
#include <utility>
#include <vector>

#include "tests/behaviour/expire_now.h"

namespace dolmen::behaviour {
namespace {

using test::N;

// An item has expired if its time is before the clock's time, by at most five years of 365 days.
TEST_F(ExpireNowTest, ExpiresTimesInThePastUpToFiveYears) {
  EXPECT_FALSE(Expires(In(seconds(1'000'000'000))));
  EXPECT_FALSE(Expires(In(seconds(1))));
  EXPECT_FALSE(Expires(In(seconds(0))));
  EXPECT_TRUE(Expires(In(seconds(-1))));
  EXPECT_TRUE(Expires(In(-hours(24) * 365 * 4)));
  EXPECT_TRUE(Expires(In(-kFiveYears + seconds(1))));
  EXPECT_TRUE(Expires(In(-kFiveYears)));
  EXPECT_FALSE(Expires(In(-kFiveYears - seconds(1))));
  EXPECT_FALSE(Expires(0));  // 1970, more than five years ago
  EXPECT_FALSE(Expires(-1));
}

// An item's expiry time may have decimals and is not rounded. This is unverified for DynamoDB.
TEST_F(ExpireNowTest, ComparesFractionsOfSecondsExactly) {
  clock().Set(Timestamp(seconds(1'776'254'400)));
  EXPECT_TRUE(Expires(N("1776254399.5")));
  EXPECT_TRUE(Expires(N("1776254399.99999999999999999999")));
  EXPECT_FALSE(Expires(N("1776254400.0")));
  EXPECT_FALSE(Expires(N("1776254400.00000000000000000001")));
  EXPECT_FALSE(Expires(N("1776254400.5")));
  const auto five_years_ago = std::to_string(1'776'254'400 - kFiveYears.count());
  const auto earlier = std::to_string(1'776'254'400 - kFiveYears.count() - 1);
  EXPECT_TRUE(Expires(N(five_years_ago + ".00000000000000000001")));
  EXPECT_FALSE(Expires(N(earlier + ".99999999999999999999")));
}

// Expiry times are usually whole seconds. So Dolmen rounds the clock's time down to whole seconds
// before it compares the clock's time with an expiry time. This is unverified for DynamoDB.
TEST_F(ExpireNowTest, RoundsTheClockDownToWholeSeconds) {
  const AttributeValue second = In(seconds(0));
  clock().Advance(milliseconds(999));
  EXPECT_FALSE(Expires(second));
  clock().Advance(milliseconds(1));
  EXPECT_TRUE(Expires(second));
}

// A time in milliseconds is read as seconds, so the item does not expire.
TEST_F(ExpireNowTest, ReadsMillisecondsAsATimeInTheFarFuture) {
  const auto now = clock().Now().time_since_epoch();
  EXPECT_FALSE(Expires((now - seconds(1)).count()));
  EXPECT_FALSE(Expires((now - kFiveYears).count()));
}

TEST_F(ExpireNowTest, IgnoresTimeAttributesThatAreNotNumbers) {
  const auto past = std::chrono::floor<seconds>(clock().Now()).time_since_epoch().count() - 1;
  const std::string text = std::to_string(past);
  EXPECT_TRUE(Expires(past));
  EXPECT_TRUE(Expires(N("0" + text + ".00")));
  for (const AttributeValue& value :
       {AttributeValue(text), AttributeValue("2026-04-15T11:59:59Z"), AttributeValue(""),
        AttributeValue(test::B(text)), AttributeValue(true), AttributeValue(nullptr),
        AttributeValue(List{past}), AttributeValue(Map{{"expires", past}}),
        AttributeValue(StringSet{text}), AttributeValue(NumberSet{past}),
        AttributeValue(BinarySet{test::B(text)})}) {
    EXPECT_FALSE(Expires(value)) << testing::PrintToString(value);
  }
  for (const char* extreme : {"-1E125", "-1E-130", "1E-130", "1E125", "9.9E125"}) {
    EXPECT_FALSE(Expires(N(extreme))) << extreme;
  }
  Put(Key("without"));
  EXPECT_EQ(ExpireNow(), 0u);
  EXPECT_FALSE(IsHidden("without"));
}

// An expiry time before 1970 is a negative number of seconds. Items with such a time expire, too.
TEST_F(ExpireNowTest, ExpiresTimesBefore1970) {
  clock().Set(Timestamp(seconds(10)));
  EXPECT_TRUE(Expires(9));
  EXPECT_TRUE(Expires(0));
  EXPECT_TRUE(Expires(-1));
  EXPECT_TRUE(Expires(10 - kFiveYears.count()));
  EXPECT_FALSE(Expires(9 - kFiveYears.count()));
  clock().Set(Timestamp(-seconds(100)));
  EXPECT_TRUE(Expires(-101));
  EXPECT_TRUE(Expires(N("-100.5")));
  EXPECT_FALSE(Expires(-100));
  EXPECT_FALSE(Expires(N("-99.5")));
  EXPECT_FALSE(Expires(0));
}

TEST_F(ExpireNowTest, DeletesAnItemOneSecondAfterItsTime) {
  PutSession("a", In(seconds(10)));
  EXPECT_EQ(ExpireNow(), 0u);
  clock().Advance(seconds(10));
  EXPECT_FALSE(IsHidden("a"));
  EXPECT_EQ(ExpireNow(), 0u);
  clock().Advance(seconds(1));
  EXPECT_TRUE(IsHidden("a"));
  EXPECT_EQ(ExpireNow(), 1u);
  EXPECT_FALSE(IsStored("a"));
  EXPECT_EQ(ExpireNow(), 0u);
}

TEST_F(ExpireNowTest, KeepsItemsThatExpiredMoreThanFiveYearsAgo) {
  PutSession("a", In(seconds(0)));
  clock().Advance(kFiveYears);
  EXPECT_TRUE(IsHidden("a"));
  clock().Advance(seconds(1));
  EXPECT_FALSE(IsHidden("a"));
  EXPECT_EQ(ExpireNow(), 0u);
  PutSession("b", In(seconds(-1)));  // ExpireNow finds "b" behind the older "a"
  EXPECT_EQ(ExpireNow(), 1u);
  EXPECT_THAT(StoredKeys(), ElementsAre("a"));
}

TEST_F(ExpireNowTest, UsesTheExpiryTimeOfTheLastWrite) {
  PutSession("longer", In(seconds(10)));
  PutSession("shorter", In(seconds(1000)));
  PutSession("begins", "never");
  PutSession("longer", In(seconds(20)));
  PutSession("shorter", In(seconds(5)));
  PutSession("begins", In(seconds(8)));
  const std::vector<std::pair<int, std::string>> ends = {
      {6, "shorter"}, {9, "begins"}, {21, "longer"}};
  int now = 0;
  for (const auto& [second, sort] : ends) {
    clock().Advance(seconds(second - now - 1));
    EXPECT_EQ(ExpireNow(), 0u) << sort;
    clock().Advance(seconds(1));
    EXPECT_EQ(ExpireNow(), 1u);
    EXPECT_FALSE(IsStored(sort));
    now = second;
  }
}

TEST_F(ExpireNowTest, IgnoresTheExpiryTimeOfADeletedItem) {
  PutSession("gone", In(seconds(-1)));
  PutSession("back", In(seconds(-1)));
  EXPECT_THAT(table().DeleteItem({.key = Key("gone")}), IsOk());
  EXPECT_THAT(table().DeleteItem({.key = Key("back")}), IsOk());
  PutSession("back", In(seconds(60)));
  EXPECT_EQ(ExpireNow(), 0u);
  EXPECT_THAT(StoredKeys(), ElementsAre("back"));
}

// The clock moves past the expiry time of an item, so the item counts as expired. After the clock
// is set back to a time before the expiry time, the item no longer counts as expired.
TEST_F(ExpireNowTest, FollowsAClockThatIsSetBack) {
  PutSession("a", In(seconds(10)));
  clock().Advance(seconds(20));
  EXPECT_TRUE(IsHidden("a"));
  clock().Advance(-seconds(15));
  EXPECT_FALSE(IsHidden("a"));
  EXPECT_EQ(ExpireNow(), 0u);
  EXPECT_THAT(StoredKeys(), ElementsAre("a"));
  PutSession("b", In(seconds(-1)));  // expired by the present clock
  PutSession("c", In(seconds(7)));   // expired only by the clock that was ahead
  EXPECT_EQ(ExpireNow(), 1u);
  EXPECT_THAT(StoredKeys(), ElementsAre("a", "c"));
  clock().Advance(-hours(24) * 365 * 70);  // before 1970
  EXPECT_EQ(ExpireNow(), 0u);
  EXPECT_THAT(StoredKeys(), ElementsAre("a", "c"));
  clock().Advance(hours(24) * 365 * 70 + seconds(8));
  EXPECT_EQ(ExpireNow(), 2u);
}

}  // namespace
}  // namespace dolmen::behaviour
