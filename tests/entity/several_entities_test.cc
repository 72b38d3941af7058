// Tests of queries of several entities in one partition. Each item is read as the struct of its
// entity.

#include <dolmen/entity.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <variant>
#include <vector>

#include "tests/entity/fixture.h"

namespace dolmen::hotel {
namespace {

using testing::FieldsAre;
using testing::Optional;
using testing::SizeIs;
using testing::VariantWith;

class SeveralEntitiesTest : public EntityTest {
 protected:
  SeveralEntitiesTest()
      : hotel_(Value(table().Create(Hotel{.id = "h1", .name = "Rheinblick"}))),
        room_(Value(table().Create(TheRoom()))),
        booking_(Value(table().Create(NewBooking("m1")))),
        payment_(Value(table().Create(Pay("m1")))) {
    log_.Take();
  }

  static Payment Pay(const std::string& booking_id) {
    return {.hotel_id = "h1",
            .arrival = NewBooking("").arrival,
            .booking_id = booking_id,
            .number = 1,
            .amount = N("99.50")};
  }

  Hotel hotel_;
  Room room_;
  Booking booking_;
  Payment payment_;
};

TEST_F(SeveralEntitiesTest, EachItemIsReadAsItsOwnStruct) {
  const auto found = table().Query<Room, Hotel, Booking, Payment>().With<&Hotel::id>("h1").All();
  EXPECT_THAT(found, IsOkAndHolds(
                         ElementsAre(VariantWith<Booking>(booking_), VariantWith<Payment>(payment_),
                                     VariantWith<Hotel>(hotel_), VariantWith<Room>(room_))));
  EXPECT_THAT(Operations(), ElementsAre("Query"));
}

TEST_F(SeveralEntitiesTest, GroupedReturnsOneVectorForEachEntity) {
  const Payment other = Value(table().Create(Pay("m0")));
  const auto query = table().Query<Hotel, Payment, Room>().With<&Hotel::id>("h1");
  EXPECT_THAT(query.Grouped(),
              IsOkAndHolds(FieldsAre(ElementsAre(hotel_), ElementsAre(other, payment_),
                                     ElementsAre(room_))));
  EXPECT_THAT(
      EntityQuery(query).Backward().Limit(3).Grouped(),
      IsOkAndHolds(FieldsAre(ElementsAre(hotel_), ElementsAre(payment_), ElementsAre(room_))));
  EXPECT_THAT((table().Query<Hotel, Room>().With<&Hotel::id>("h2").Grouped()),
              IsOkAndHolds(FieldsAre(IsEmpty(), IsEmpty())));
  EXPECT_THAT((table().Query<Hotel, Room>().Grouped()),
              StatusIs(kValidation, HasSubstr("hotelId")));
}

TEST_F(SeveralEntitiesTest, APartGivenForOneEntityHoldsForAll) {
  using Whole = std::vector<std::variant<Hotel, Room, Booking, Payment>>;
  const auto query = [&] { return table().Query<Hotel, Room, Booking, Payment>(); };
  const Whole all = Value(query().With<&Hotel::id>("h1").All());
  EXPECT_THAT(all, SizeIs(4));
  EXPECT_THAT(query().With<&Room::hotel_id>("h1").All(), IsOkAndHolds(all));
  EXPECT_THAT(query().With<&Payment::hotel_id>("h1").All(), IsOkAndHolds(all));
}

// A query for bookings and payments reads the sort keys with their common prefix. The sort keys of
// the hotel (HOTEL) and of its rooms (ROOM#) lack this prefix, so the query does not read these
// items.
TEST_F(SeveralEntitiesTest, TheSortKeyPrefixIsCommonToAllTemplates) {
  EXPECT_THAT(
      (table().Query<Booking, Payment>().With<&Booking::hotel_id>("h1").All()),
      IsOkAndHolds(ElementsAre(VariantWith<Booking>(booking_), VariantWith<Payment>(payment_))));
  Value(table().Create(Pay("m0")));
  EXPECT_THAT((table()
                   .Query<Booking, Payment>()
                   .With<&Booking::hotel_id>("h1")
                   .With<&Booking::arrival>(booking_.arrival)
                   .Backward()
                   .Limit(1)
                   .All()),
              IsOkAndHolds(ElementsAre(VariantWith<Payment>(payment_))));
}

// The query finds a booking with its payments, but no payments of a booking with a longer id.
TEST_F(SeveralEntitiesTest, AnEntityAndItsChildrenAreOneQuery) {
  Value(table().Create(NewBooking("m10")));
  Value(table().Create(Pay("m10")));
  const auto query = table()
                         .Query<Booking, Payment>()
                         .With<&Booking::hotel_id>("h1")
                         .With<&Booking::arrival>(booking_.arrival)
                         .With<&Booking::id>("m1");
  EXPECT_THAT(query.All(), IsOkAndHolds(ElementsAre(VariantWith<Booking>(booking_),
                                                    VariantWith<Payment>(payment_))));
  EXPECT_THAT(query.Count(), IsOkAndHolds(2U));
}

TEST_F(SeveralEntitiesTest, PagesHoldAllEntities) {
  auto query = table().Query<Hotel, Room, Booking, Payment>().With<&Hotel::id>("h1").Limit(3);
  const auto page = Value(query.Page());
  EXPECT_THAT(page.items, SizeIs(3));
  const auto rest = Value(query.From(page.next_cursor).Page());
  EXPECT_THAT(rest.items, ElementsAre(VariantWith<Room>(room_)));
  EXPECT_EQ(rest.next_cursor, "");
}

TEST_F(SeveralEntitiesTest, FirstReturnsAnEntityOfAnyType) {
  const auto first = table().Query<Hotel, Room, Booking, Payment>().With<&Hotel::id>("h1").First();
  EXPECT_THAT(first, IsOkAndHolds(Optional(VariantWith<Booking>(booking_))));
}

// The query of hotels and rooms reads the range of sort keys that begins with HOTEL and ends with
// the last key of the form ROOM#... The bookings sort before this range, and the item SPA sorts
// after it.
TEST_F(SeveralEntitiesTest, TheQueryReadsTheSmallestRangeThatHoldsAllEntities) {
  Store({{"PK", "HOTEL#h1"}, {"SK", "SPA"}});
  EXPECT_THAT((table().Query<Hotel, Room>().With<&Hotel::id>("h1").All()),
              IsOkAndHolds(ElementsAre(VariantWith<Hotel>(hotel_), VariantWith<Room>(room_))));
  EXPECT_THAT((table().Query<Room, Hotel>().With<&Hotel::id>("h1").Backward().First()),
              IsOkAndHolds(Optional(VariantWith<Room>(room_))));
}

TEST_F(SeveralEntitiesTest, OtherEntitiesInTheRangeAreSkippedAndCounted) {
  Store({{"PK", "HOTEL#h1"}, {"SK", "C"}});
  const auto query = table().Query<Payment, Room>().With<&Room::hotel_id>("h1");
  EXPECT_THAT(query.All(),
              IsOkAndHolds(ElementsAre(VariantWith<Payment>(payment_), VariantWith<Room>(room_))));
  EXPECT_THAT(query.Count(), IsOkAndHolds(2U));
  const auto page = Value(query.Page());
  EXPECT_THAT(page.items, SizeIs(2));
  EXPECT_EQ(page.skipped, 3U) << "a booking, the item C and a hotel";
  EXPECT_THAT(page.damaged, IsEmpty());
}

TEST_F(SeveralEntitiesTest, AStrictQueryRejectsOtherEntities) {
  const auto query = table().Query<Payment, Room>().With<&Room::hotel_id>("h1").Strict();
  const auto is_refused =
      StatusIs(kCorruption, Says("HOTEL#h1", "BOOKING#2026-05-01#m1", "booking"));
  EXPECT_THAT(query.All(), is_refused);
  EXPECT_THAT(query.Page(), is_refused);
  EXPECT_THAT(query.First(), is_refused);
  EXPECT_THAT(query.Count(), is_refused);
  auto everything = table().Query<Hotel, Room, Booking, Payment>().With<&Hotel::id>("h1").Strict();
  EXPECT_THAT(everything.All(), IsOk());
  Store({{"PK", "HOTEL#h1"}, {"SK", "C"}});
  EXPECT_THAT(everything.All(), StatusIs(kCorruption, Says("HOTEL#h1", "\"C\"", "unnamed")));
}

// A page has at most as many entities as its limit. The cursor leads past the skipped items.
TEST_F(SeveralEntitiesTest, ALimitCountsTheSkippedItemsOfAPage) {
  auto query = table().Query<Booking, Hotel>().With<&Hotel::id>("h1").Limit(2);
  const auto page = Value(query.Page());
  EXPECT_THAT(page.items, ElementsAre(VariantWith<Booking>(booking_)));
  EXPECT_EQ(page.skipped, 1U);
  EXPECT_THAT(query.All(), IsOkAndHolds(ElementsAre(VariantWith<Booking>(booking_),
                                                    VariantWith<Hotel>(hotel_))));
  const auto rest = Value(query.From(page.next_cursor).Page());
  EXPECT_THAT(rest.items, ElementsAre(VariantWith<Hotel>(hotel_)));
}

TEST_F(SeveralEntitiesTest, APageReturnsTheGoodItemsAndTheErrorsOfTheOthers) {
  Store({{"PK", "HOTEL#h1"}, {"SK", "ROOM#0102"}, {"entityType", "room"}, {"kind", 1}});
  const auto query = table().Query<Hotel, Room, Booking, Payment>().With<&Hotel::id>("h1");
  const auto is_refused =
      StatusIs(kCorruption, "room \"HOTEL#h1\" \"ROOM#0102\": attribute kind has type N, not S");
  const auto page = Value(query.Page());
  EXPECT_THAT(page.items, SizeIs(4));
  EXPECT_THAT(page.damaged, ElementsAre(is_refused));
  EXPECT_EQ(page.skipped, 0U);
  EXPECT_THAT(query.All(), is_refused) << "a vector cannot tell of the damaged item";
  const auto rooms = Value(table().Query<Room>().With<&Room::hotel_id>("h1").Page());
  EXPECT_THAT(rooms.items, ElementsAre(room_));
  EXPECT_THAT(rooms.damaged, ElementsAre(is_refused));
}

// Two entities of another program have the same type. Their keys tell them apart.
struct ToRoom {
  std::string room = {};
  std::string guest = {};
  friend bool operator==(const ToRoom&, const ToRoom&) = default;
};
constexpr auto DescribeEntity(const ToRoom*) {
  return DefineEntity<ToRoom>(
      "edge", {Attribute<&ToRoom::room>("room"), Attribute<&ToRoom::guest>("guest")},
      {PrimaryKey("EDGES", "GUEST#{guest}#ROOM#{room}")});
}
struct ToGuest {
  std::string room = {};
  std::string guest = {};
  friend bool operator==(const ToGuest&, const ToGuest&) = default;
};
constexpr auto DescribeEntity(const ToGuest*) {
  return DefineEntity<ToGuest>(
             "toGuest", {Attribute<&ToGuest::room>("room"), Attribute<&ToGuest::guest>("guest")},
             {PrimaryKey("EDGES", "ROOM#{room}#GUEST#{guest}")})
      .AlsoNamed("edge", "EDGE");
}

TEST_F(SeveralEntitiesTest, TheKeyDecidesBetweenEntitiesOfOneType) {
  Store({{"PK", "EDGES"},
         {"SK", "GUEST#g1#ROOM#1"},
         {"entityType", "edge"},
         {"room", "1"},
         {"guest", "g1"}});
  Store({{"PK", "EDGES"},
         {"SK", "ROOM#1#GUEST#g1"},
         {"entityType", "edge"},
         {"room", "1"},
         {"guest", "g1"}});
  Store({{"PK", "EDGES"}, {"SK", "ROOM#2#GUEST#g1"}, {"entityType", "EDGE"}});
  const auto expected =
      ElementsAre(VariantWith<ToRoom>(ToRoom{"1", "g1"}), VariantWith<ToGuest>(ToGuest{"1", "g1"}),
                  VariantWith<ToGuest>(ToGuest{"2", "g1"}));
  EXPECT_THAT((table().Query<ToRoom, ToGuest>().All()), IsOkAndHolds(expected));
  EXPECT_THAT((table().Query<ToGuest, ToRoom>().All()), IsOkAndHolds(expected));
  EXPECT_THAT(table().Get(ToGuest{"2", "g1"}), IsOkAndHolds(ToGuest{"2", "g1"}));
}

// The key of a lesson begins with the key of its module.
struct Part {
  std::string id = {};
  friend bool operator==(const Part&, const Part&) = default;
};
constexpr auto DescribeEntity(const Part*) {
  return DefineEntity<Part>("part", {Attribute<&Part::id>("partId")},
                            {PrimaryKey("COURSE", "MODULE#{partId}")});
}

TEST_F(SeveralEntitiesTest, ItemsWithoutATypeAreToldApartByTheirKeys) {
  for (const char* key : {"MODULE#m1", "MODULE#m1#LESSON#l1", "MODULE#m1#LESSON#l2", "MODULE#m2"}) {
    Store({{"PK", "COURSE"}, {"SK", key}});
  }
  EXPECT_THAT(table().Query<Part>().All(), IsOkAndHolds(ElementsAre(Part{"m1"}, Part{"m2"})));
  EXPECT_THAT(table().Query<Part>().Backward().First(), IsOkAndHolds(Optional(Part{"m2"})));
  Operations();
  EXPECT_THAT(table().Query<Part>().Limit(2).All(), IsOkAndHolds(SizeIs(2)));
  EXPECT_THAT(Operations(), SizeIs(2)) << "the second request reads more items";
  EXPECT_EQ(Value(table().Query<Part>().Page()).skipped, 2U);
}

TEST_F(SeveralEntitiesTest, EntitiesOfDifferentPartitionsAreRejected) {
  EXPECT_THAT(
      (table().Query<Hotel, Visits>().With<&Hotel::id>("h1").With<&Visits::page>("a").All()),
      StatusIs(kValidation, Says("visits", "hotelId")));
  EXPECT_THAT((table().Query<Room, Booking>("GSI1").With<&Room::kind>(RoomKind::kSuite).All()),
              StatusIs(kValidation, Says("booking", "kind")));
  EXPECT_THAT((table().Query<Booking, Room>("GSI2").With<&Booking::state>({}).All()),
              StatusIs(kValidation, Says("room", "GSI2")));
}

}  // namespace
}  // namespace dolmen::hotel
