// Tests of how times, days and durations are stored, and of the errors for other values.

#include <dolmen/entity.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>

#include "tests/entity/fixture.h"
#include "tests/entity/holder.h"

namespace dolmen::hotel {
namespace {

using std::chrono::milliseconds;
using std::chrono::minutes;
using std::chrono::sys_days;
using std::chrono::sys_seconds;
using std::chrono::year;
using std::chrono::year_month_day;

// A time is stored as text, always with milliseconds. Therefore the texts sort in the order of the
// times.
TEST(TimeCodecTest, TimesAreStoredAsIso8601WithMilliseconds) {
  EXPECT_THAT(Encoded(Time("2026-04-15T10:30:00Z")),
              IsOkAndHolds(AttributeValue("2026-04-15T10:30:00.000Z")));
  EXPECT_THAT(Encoded(Time("2026-04-15T10:30:00.250Z")),
              IsOkAndHolds(AttributeValue("2026-04-15T10:30:00.250Z")));
  EXPECT_THAT(Encoded(Timestamp()), IsOkAndHolds(AttributeValue("1970-01-01T00:00:00.000Z")));
}

TEST(TimeCodecTest, TimesWithoutMillisecondsAreRead) {
  EXPECT_THAT(Decoded<Timestamp>("2026-04-15T10:30:00Z"),
              IsOkAndHolds(Time("2026-04-15T10:30:00.000Z")));
  ExpectCorruptValue<Timestamp>("yesterday", "is not a time: \"yesterday\"");
  ExpectCorruptValue<Timestamp>("2026-02-30T10:30:00Z", "is not a time: \"2026-02-30T10:30:00Z\"");
  ExpectCorruptValue<Timestamp>(1776249000, "has type N, not S");
}

TEST(TimeCodecTest, TimesOutsideTheYears0To9999AreRejected) {
  const Timestamp first = Time("0000-01-01T00:00:00.000Z");
  const Timestamp last = Time("9999-12-31T23:59:59.999Z");
  EXPECT_THAT(ThereAndBack(first), IsOkAndHolds(first));
  EXPECT_THAT(ThereAndBack(last), IsOkAndHolds(last));
  for (const Timestamp past :
       {first - milliseconds(1), last + milliseconds(1), Timestamp::min(), Timestamp::max()}) {
    EXPECT_THAT(Encoded(past), StatusIs(kValidation,
                                        "holder: attribute value is a time outside the "
                                        "years 0 to 9999"));
  }
}

// All texts of a sys_seconds lack milliseconds, so they also sort as their times.
TEST(TimeCodecTest, SecondsAreStoredAsIso8601WithoutMilliseconds) {
  const sys_seconds time = std::chrono::floor<std::chrono::seconds>(Time("2026-04-15T10:30:00Z"));
  EXPECT_THAT(Encoded(time), IsOkAndHolds(AttributeValue("2026-04-15T10:30:00Z")));
  EXPECT_THAT(ThereAndBack(time), IsOkAndHolds(time));
  EXPECT_THAT(Decoded<sys_seconds>("2026-04-15T10:30:00.000Z"), IsOkAndHolds(time));
  ExpectCorruptValue<sys_seconds>("2026-04-15T10:30:00.250Z",
                                  "is not a time in whole seconds: \"2026-04-15T10:30:00.250Z\"");
  ExpectCorruptValue<sys_seconds>("2026-04-15", "is not a time: \"2026-04-15\"");
  for (const sys_seconds past : {sys_seconds::min(), sys_seconds::max()}) {
    EXPECT_THAT(Encoded(past), StatusIs(kValidation, HasSubstr("outside the years 0 to 9999")));
  }
}

TEST(TimeCodecTest, DaysAreStoredAsIso8601) {
  const year_month_day day = year(2026) / 4 / 15;
  EXPECT_THAT(Encoded(day), IsOkAndHolds(AttributeValue("2026-04-15")));
  EXPECT_THAT(ThereAndBack(day), IsOkAndHolds(day));
  EXPECT_THAT(Encoded(sys_days(day)), IsOkAndHolds(AttributeValue("2026-04-15")));
  EXPECT_THAT(ThereAndBack(sys_days(day)), IsOkAndHolds(sys_days(day)));
  ExpectCorruptValue<sys_days>("2026-02-30", "is not a day: \"2026-02-30\"");
  ExpectCorruptValue<year_month_day>("2026-04-15T10:30:00Z",
                                     "is not a day: \"2026-04-15T10:30:00Z\"");
  ExpectCorruptValue<sys_days>(1, "has type N, not S");
}

TEST(TimeCodecTest, OtherDaysAreRejected) {
  EXPECT_THAT(Encoded(year_month_day(year(2026) / 2 / 30)),
              StatusIs(kValidation, HasSubstr("is a day that does not exist")));
  for (const sys_days past : {sys_days(year(0) / 1 / 1) - std::chrono::days(1),
                              sys_days(year(10000) / 1 / 1), sys_days::min(), sys_days::max()}) {
    EXPECT_THAT(Encoded(past), StatusIs(kValidation, HasSubstr("outside the years 0 to 9999")));
  }
}

TEST(TimeCodecTest, DurationsAreStoredAsTheNumberOfTheirUnit) {
  EXPECT_THAT(Encoded(minutes(90)), IsOkAndHolds(AttributeValue(90)));
  EXPECT_THAT(ThereAndBack(milliseconds(-1)), IsOkAndHolds(milliseconds(-1)));
  EXPECT_THAT(Decoded<std::chrono::days>(7), IsOkAndHolds(std::chrono::days(7)));
  ExpectCorruptValue<minutes>("90", "has type S, not N");
  EXPECT_THAT(Decoded<minutes>(N("1.5")),
              StatusIs(kCorruption, HasSubstr("is not a whole number")));
}

struct Session {
  std::string id = {};
  std::optional<Timestamp> ends_at = {};

  friend bool operator==(const Session&, const Session&) = default;
};
constexpr auto DescribeEntity(const Session*) {
  return DefineEntity<Session>(
      "session",
      {Attribute<&Session::id>("id"), Attribute<&Session::ends_at>("endsAt").AsEpochSeconds()},
      {PrimaryKey("SESSION#{id}")});
}

Result<Session> SessionOf(const AttributeValue& ends_at) {
  return Read<Session>(
      {{"PK", "SESSION#1"}, {"entityType", "session"}, {"id", "1"}, {"endsAt", ends_at}});
}

// Seconds are rounded up, so that an item does not expire before its time.
TEST(TimeCodecTest, TimesMayBeStoredAsSecondsRoundedUp) {
  const auto seconds = [](Timestamp time) {
    return Value(ToItem(Session{.id = "1", .ends_at = time})).at("endsAt");
  };
  EXPECT_EQ(seconds(Time("2026-04-15T10:30:00Z")), AttributeValue(1776249000));
  EXPECT_EQ(seconds(Time("2026-04-15T10:30:00.001Z")), AttributeValue(1776249001));
  EXPECT_EQ(seconds(Time("1969-12-31T23:59:58.500Z")), AttributeValue(-1));
  EXPECT_THAT(SessionOf(1776249000),
              IsOkAndHolds(Session{.id = "1", .ends_at = Time("2026-04-15T10:30:00Z")}));
}

TEST(TimeCodecTest, SecondsThatATimeCannotHoldAreCorruption) {
  for (const AttributeValue& wrong :
       {AttributeValue(N("1.5")), AttributeValue(std::numeric_limits<std::int64_t>::max())}) {
    EXPECT_THAT(SessionOf(wrong),
                StatusIs(kCorruption, Says("session", "endsAt", "is not a whole number")));
  }
  EXPECT_THAT(SessionOf("2026-04-15T10:30:00Z"),
              StatusIs(kCorruption, Says("session", "endsAt", "has type S, not N")));
}

// An entity with each form of a time.
struct Event {
  sys_days day = {};
  std::string id = {};
  Timestamp at = {};
  std::optional<sys_seconds> ends_at = {};
  sys_seconds created_at = {};
  sys_days updated_on = {};

  friend bool operator==(const Event&, const Event&) = default;
};
constexpr auto DescribeEntity(const Event*) {
  return DefineEntity<Event>(
      "event",
      {Attribute<&Event::day>("day").InKeyOnly(), Attribute<&Event::id>("id").InKeyOnly(),
       Attribute<&Event::at>("at").AsEpochMilliseconds(),
       Attribute<&Event::ends_at>("endsAt").AsEpochSeconds(),
       Attribute<&Event::created_at>("createdAt").IfUnset<Now>(),
       Attribute<&Event::updated_on>("updatedOn").Always<Now>()},
      {PrimaryKey("DAY#{day}", "EVENT#{id}")});
}

class TimeCodecTableTest : public EntityTest {};

TEST_F(TimeCodecTableTest, TimesOfAllFormsAreStoredFilledAndQueried) {
  Event event = {.day = year(2026) / 4 / 15, .id = "1", .at = Time("2026-04-15T10:30:00.250Z")};
  event.ends_at = sys_seconds(std::chrono::seconds(1776249001));
  clock_->Set(Time("2026-05-01T08:00:00.750Z"));
  const Event created = Value(table().Create(event));
  event.created_at = sys_seconds(std::chrono::seconds(1777622400));
  event.updated_on = year(2026) / 5 / 1;
  EXPECT_EQ(created, event);
  EXPECT_EQ(Stored(Key("DAY#2026-04-15", "EVENT#1")), (Item{{"PK", "DAY#2026-04-15"},
                                                            {"SK", "EVENT#1"},
                                                            {"entityType", "event"},
                                                            {"at", 1776249000250},
                                                            {"endsAt", 1776249001},
                                                            {"createdAt", "2026-05-01T08:00:00Z"},
                                                            {"updatedOn", "2026-05-01"}}));
  EXPECT_THAT(table().Query<Event>().With<&Event::day>(event.day).All(),
              IsOkAndHolds(ElementsAre(event)));
}

}  // namespace
}  // namespace dolmen::hotel
