// Tests of Lint: the access patterns that no key serves, static partition keys and shared ranges.

#include <dolmen/entity.h>
#include <dolmen/entity/lint.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "tests/entity/fixture.h"

namespace dolmen::hotel {
namespace {

TEST(LintTest, PatternsThatAKeyServesHaveNoFault) {
  EXPECT_EQ(AccessPattern("rooms by number")
                .With<&Room::hotel_id>()
                .SortedBy<&Room::number>()
                .FindFault(),
            "");
  EXPECT_EQ(AccessPattern("one room").With<&Room::hotel_id>().With<&Room::number>().FindFault(),
            "");
  EXPECT_EQ(
      AccessPattern("cheapest suites").With<&Room::kind>().SortedBy<&Room::price>().FindFault(),
      "");
  EXPECT_EQ(AccessPattern("bookings of a day")
                .With<&Booking::arrival>()
                .With<&Booking::hotel_id>()
                .SortedBy<&Booking::id>()
                .FindFault(),
            "")
      << "the order of the calls has no meaning";
}

TEST(LintTest, WithKeyKnowsAllPartsOfThePrimaryKey) {
  const AccessPattern one_room = AccessPattern("one room").WithKey<Room>();
  EXPECT_EQ(one_room.FindKey(), &entity::kSpec<Room>.primary());
  EXPECT_EQ(AccessPattern("one booking").WithKey<Booking>().FindFault(), "");
}

TEST(LintTest, PatternsThatNoKeyServesAreNamed) {
  EXPECT_EQ(AccessPattern("rooms with a note").With<&Room::note>().FindFault(),
            "rooms with a note: no key of room serves a query with note");
  EXPECT_EQ(
      AccessPattern("rooms by price").With<&Room::hotel_id>().SortedBy<&Room::price>().FindFault(),
      "rooms by price: no key of room serves a query with hotelId, sorted by price");
  EXPECT_EQ(
      AccessPattern("one booking").With<&Booking::hotel_id>().With<&Booking::id>().FindFault(),
      "one booking: no key of booking serves a query with hotelId, bookingId")
      << "the day stands before the id in the sort key";
  EXPECT_EQ(AccessPattern("hotels").SortedBy<&Hotel::name>().FindFault(),
            "hotels: no key of hotel serves a query with no attribute, sorted by name");
}

TEST(LintTest, PatternsThatAreNoQueryAreNamed) {
  EXPECT_EQ(AccessPattern("all").FindFault(), "all: the pattern names no member");
  EXPECT_EQ(AccessPattern("both").With<&Room::kind>().With<&Hotel::name>().FindFault(),
            "both: the pattern names members of two entities");
  EXPECT_EQ(AccessPattern("two").SortedBy<&Room::kind>().SortedBy<&Room::price>().FindFault(),
            "two: the pattern has two orders");
}

struct Story {
  std::string id = {};
  Timestamp at = {};
};
constexpr auto DescribeEntity(const Story*) {
  return DefineEntity<Story>("story", {Attribute<&Story::id>("id"), Attribute<&Story::at>("at")},
                             {PrimaryKey("STORY#{id}", "STORY"), IndexKey("GSI1", "FEED", "{at}")});
}

TEST(LintTest, AStaticPartitionIsNamed) {
  EXPECT_THAT(Lint<Story>(),
              ElementsAre("story: all items share the partition \"FEED\" of the index GSI1"));
}

TEST(LintTest, RangesThatEntitiesShareAreNamed) {
  EXPECT_THAT((Lint<Hotel, Room, Booking, Payment>(
                  {AccessPattern("rooms of a hotel").With<&Room::hotel_id>()})),
              ElementsAre("a query for all booking in the table also reads payment: both sort keys "
                          "begin with \"BOOKING#\"",
                          "a query for all payment in the table also reads booking: both sort keys "
                          "begin with \"BOOKING#\""));
  EXPECT_THAT((Lint<Hotel, Room>()), IsEmpty());
}

TEST(LintTest, PatternsComeFirst) {
  EXPECT_THAT(
      Lint<Story>({AccessPattern("stories by time").With<&Story::id>().SortedBy<&Story::at>()}),
      ElementsAre("stories by time: no key of story serves a query with id, sorted by at",
                  testing::_));
}

}  // namespace
}  // namespace dolmen::hotel
