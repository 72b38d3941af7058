// Tests of queries of one entity: key parts, ranges, order, filters and counts.

#include <dolmen/entity.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <iterator>
#include <optional>
#include <sstream>
#include <string>
#include <vector>

#include "tests/entity/fixture.h"

namespace dolmen::hotel {
namespace {

using std::chrono::days;
using std::chrono::hours;
using testing::SizeIs;

class QueryTest : public EntityTest {
 protected:
  // Creates a booking that arrives `day` days after 1 May.
  Booking Book(const std::string& id, int day, const std::string& hotel = "h1") const {
    Booking booking = NewBooking(id);
    booking.hotel_id = hotel;
    booking.arrival += days(day);
    return Value(table().Create(booking));
  }
  static Timestamp Day(int day) { return NewBooking("").arrival + days(day); }

  EntityQuery<Booking> Bookings() const {
    return table().Query<Booking>().With<&Booking::hotel_id>("h1");
  }
  EntityQuery<Room> Singles() const {
    return table().Query<Room>("GSI1").With<&Room::kind>(RoomKind::kSingle);
  }

  static std::vector<std::string> Ids(const Result<std::vector<Booking>>& bookings) {
    EXPECT_THAT(bookings, IsOk());
    std::vector<std::string> ids;
    if (bookings.ok()) {
      for (const Booking& booking : *bookings) ids.push_back(booking.id);
    }
    return ids;
  }
  static std::vector<std::int64_t> Prices(const Result<std::vector<Room>>& rooms) {
    EXPECT_THAT(rooms, IsOk());
    std::vector<std::int64_t> prices;
    if (rooms.ok()) {
      for (const Room& room : *rooms) prices.push_back(room.price);
    }
    return prices;
  }
};

TEST_F(QueryTest, FindsTheEntitiesOfAPartition) {
  Book("m1", 0);
  Book("m2", 0, "h2");
  Book("m3", 0, "h10");
  EXPECT_THAT(Ids(Bookings().All()), ElementsAre("m1"));
}

TEST_F(QueryTest, ReturnsEntitiesInSortKeyOrder) {
  Book("c", 0);
  Book("a", 2);
  Book("b", 1);
  Book("a", 0);
  EXPECT_THAT(Ids(Bookings().All()), ElementsAre("a", "c", "b", "a"));
  EXPECT_THAT(Ids(Bookings().Backward().All()), ElementsAre("a", "b", "c", "a"));
}

TEST_F(QueryTest, PartsOfTheSortKeyNarrowTheQuery) {
  Book("m1", 0);
  Book("m1", 1);
  Book("m10", 1);
  EXPECT_THAT(Ids(Bookings().With<&Booking::arrival>(Day(1)).All()), ElementsAre("m1", "m10"));
  EXPECT_THAT(Ids(Bookings().With<&Booking::arrival>(Day(1)).With<&Booking::id>("m1").All()),
              ElementsAre("m1"))
      << "m10 does not match m1";
}

TEST_F(QueryTest, APartMatchesOnlyUpToItsSeparator) {
  const auto pay = [&](const std::string& booking_id, int number) {
    return Value(table().Create(Payment{.hotel_id = "h1",
                                        .arrival = Day(0),
                                        .booking_id = booking_id,
                                        .number = number,
                                        .amount = N("9.90")}));
  };
  const Payment first = pay("m1", 1);
  const Payment second = pay("m1", 2);
  pay("m10", 1);
  const auto payments = table()
                            .Query<Payment>()
                            .With<&Payment::hotel_id>("h1")
                            .With<&Payment::arrival>(Day(0))
                            .With<&Payment::booking_id>("m1");
  EXPECT_THAT(payments.All(), IsOkAndHolds(ElementsAre(first, second)));
}

TEST_F(QueryTest, PartsMayBeGivenInAnyOrder) {
  Book("m1", 1);
  EXPECT_THAT(Ids(table()
                      .Query<Booking>()
                      .With<&Booking::id>("m1")
                      .With<&Booking::arrival>(Day(1))
                      .With<&Booking::hotel_id>("h1")
                      .All()),
              ElementsAre("m1"));
}

TEST_F(QueryTest, RangesMayBeBoundedAtEitherEnd) {
  for (const int price : {50, 60, 70, 80, 700}) {
    Value(table().Create(Room{.hotel_id = "h1", .number = price, .price = price}));
  }
  EXPECT_THAT(Prices(Singles().All()), ElementsAre(50, 60, 70, 80, 700));
  EXPECT_THAT(Prices(Singles().Between<&Room::price>(60, 80).All()), ElementsAre(60, 70, 80));
  EXPECT_THAT(Prices(Singles().Between<&Room::price>(70, 70).All()), ElementsAre(70));
  EXPECT_THAT(Prices(Singles().AtLeast<&Room::price>(70).All()), ElementsAre(70, 80, 700));
  EXPECT_THAT(Prices(Singles().AtMost<&Room::price>(70).All()), ElementsAre(50, 60, 70));
  EXPECT_THAT(Prices(Singles().AtMost<&Room::price>(70).Backward().All()), ElementsAre(70, 60, 50));
  EXPECT_THAT(Prices(Singles().After<&Room::price>(70).All()), ElementsAre(80, 700));
  EXPECT_THAT(Prices(Singles().After<&Room::price>(700).All()), IsEmpty());
  EXPECT_THAT(Prices(Singles().Before<&Room::price>(70).All()), ElementsAre(50, 60));
  EXPECT_THAT(Prices(Singles().Before<&Room::price>(71).All()), ElementsAre(50, 60, 70));
}

TEST_F(QueryTest, RangesOfDaysCoverWholeDays) {
  for (int day = 0; day < 4; ++day) Book("m" + std::to_string(day), day);
  EXPECT_THAT(Ids(Bookings().Between<&Booking::arrival>(Day(1), Day(2) - hours(15)).All()),
              ElementsAre("m1", "m2"));
  EXPECT_THAT(Ids(Bookings().AtMost<&Booking::arrival>(Day(1)).All()), ElementsAre("m0", "m1"));
  EXPECT_THAT(Ids(Bookings().AtLeast<&Booking::arrival>(Day(2)).All()), ElementsAre("m2", "m3"));
  EXPECT_THAT(Ids(Bookings().After<&Booking::arrival>(Day(1)).All()), ElementsAre("m2", "m3"));
  EXPECT_THAT(Ids(Bookings().Before<&Booking::arrival>(Day(2)).All()), ElementsAre("m0", "m1"));
}

// The id m10 begins with m1, but it is not equal to m1: it sorts after m1.
TEST_F(QueryTest, RangesCompareWholeTexts) {
  for (const char* id : {"m0", "m1", "m10", "m2"}) Book(id, 0);
  const auto that_day = Bookings().With<&Booking::arrival>(Day(0));
  auto query = that_day;
  EXPECT_THAT(Ids(query.AtMost<&Booking::id>("m1").All()), ElementsAre("m0", "m1"));
  query = that_day;
  EXPECT_THAT(Ids(query.After<&Booking::id>("m1").All()), ElementsAre("m10", "m2"));
  query = that_day;
  EXPECT_THAT(Ids(query.Between<&Booking::id>("m1", "m10").All()), ElementsAre("m1", "m10"));
  query = that_day;
  EXPECT_THAT(Ids(query.Before<&Booking::id>("m10").All()), ElementsAre("m0", "m1"));
}

// The character before an upper bound can have fewer bytes in UTF-8 than the bound.
TEST_F(QueryTest, BeforeExcludesTheBoundAndNoLesserText) {
  std::istringstream texts(
      "a a! b \x7F \u0080 \u07FF \u0800 \u1000 \uD7FF \uE000 \uFFFF \U00010000");
  const std::vector<std::string> ids(std::istream_iterator<std::string>(texts), {});
  for (const std::string& id : ids) Book(id, 0);
  for (std::size_t i = 1; i < ids.size(); ++i) {
    const auto query = Bookings().With<&Booking::arrival>(Day(0)).Before<&Booking::id>(ids[i]);
    EXPECT_EQ(Ids(query.All()), std::vector<std::string>(ids.begin(), ids.begin() + i)) << i;
  }
}

TEST_F(QueryTest, LowerAndUpperBoundsCombine) {
  for (const char* id : {"m0", "m1", "m2", "m3"}) Book(id, 0);
  const auto that_day = Bookings().With<&Booking::arrival>(Day(0));
  auto query = that_day;
  EXPECT_THAT(Ids(query.AtLeast<&Booking::id>("m1").AtMost<&Booking::id>("m2").All()),
              ElementsAre("m1", "m2"));
  query = that_day;
  EXPECT_THAT(Ids(query.AtMost<&Booking::id>("m2").After<&Booking::id>("m1").All()),
              ElementsAre("m2"));
  query = that_day;
  EXPECT_THAT(Ids(query.AtLeast<&Booking::id>("m1").Before<&Booking::id>("m3").All()),
              ElementsAre("m1", "m2"));
}

// In a payment's sort key, "#" follows the booking's id. A blank sorts before "#", so a key with
// the id "m1 b" sorts before a key with the id "m1". But the text "m1" sorts before the text
// "m1 b". The keys are not in the order of the ids, so the query rejects an upper bound for the id.
TEST_F(QueryTest, RejectsBoundsThatKeysDoNotSortBy) {
  const auto payments =
      table().Query<Payment>().With<&Payment::hotel_id>("h1").With<&Payment::arrival>(Day(0));
  auto query = payments;
  EXPECT_THAT(query.AtMost<&Payment::booking_id>("m1").All(),
              StatusIs(kValidation, Says("payment", "bookingId", "only have AtLeast")));
  query = payments;
  EXPECT_THAT(query.After<&Payment::booking_id>("m1").All(),
              StatusIs(kValidation, Says("payment", "bookingId", "only have AtLeast")));
  query = payments;
  EXPECT_THAT(query.Before<&Payment::booking_id>("m1").All(),
              StatusIs(kValidation, Says("payment", "bookingId", "only have AtLeast")));
  query = payments;
  EXPECT_THAT(query.AtLeast<&Payment::booking_id>("m1").All(), IsOkAndHolds(testing::IsEmpty()));
}

TEST_F(QueryTest, RejectsInvalidRanges) {
  EXPECT_THAT(Singles().Between<&Room::price>(80, 60).All(), StatusIs(kValidation, testing::_));
  EXPECT_THAT(Singles().AtLeast<&Room::price>(-1).All(),
              StatusIs(kValidation, Says("room", "price", "negative")));
  EXPECT_THAT(Bookings().AtLeast<&Booking::id>("m1").All(),
              StatusIs(kValidation,
                       Says("booking", "bookingId", "first part of the sort key without a value")));
  EXPECT_THAT(Bookings().AtLeast<&Booking::guest_id>("g1").All(),
              StatusIs(kValidation, Says("booking", "guestId")));
}

TEST_F(QueryTest, RequiresAllPartsOfThePartitionKey) {
  EXPECT_THAT(table().Query<Booking>().All(),
              StatusIs(kValidation, Says("booking", "hotelId", "not given")));
  EXPECT_THAT(table().Query<Booking>("GSI1").With<&Booking::hotel_id>("h1").Page(),
              StatusIs(kValidation, Says("booking", "hotelId")))
      << "hotelId is not part of that key";
  EXPECT_THAT(table().Query<Booking>("GSI2").First(),
              StatusIs(kValidation, Says("booking", "state", "not given")));
  EXPECT_THAT(table().Query<Booking>("GSI2").Count(),
              StatusIs(kValidation, Says("booking", "state", "not given")));
  EXPECT_THAT(Operations(), IsEmpty()) << "no request is sent";
}

// The caller sets the booking's id, but not the arrival, which precedes the id in the sort key. A
// prefix of the sort key cannot contain only the id, so the query returns an error.
TEST_F(QueryTest, RejectsAPartAfterOneThatIsNotGiven) {
  EXPECT_THAT(Bookings().With<&Booking::id>("m1").All(),
              StatusIs(kValidation, Says("booking", "arrival", "not given")));
}

TEST_F(QueryTest, RejectsAMemberThatIsNotPartOfTheKey) {
  EXPECT_THAT(Bookings().With<&Booking::guest_id>("g1").All(),
              StatusIs(kValidation, Says("booking", "guestId", "not part")));
}

TEST_F(QueryTest, RejectsValuesThatAKeyCannotHold) {
  EXPECT_THAT(table().Query<Booking>().With<&Booking::hotel_id>("h#1").All(),
              StatusIs(kValidation, Says("booking", "hotelId", "#")));
  EXPECT_THAT(table().Query<Booking>().With<&Booking::hotel_id>("").All(),
              StatusIs(kValidation, Says("booking", "hotelId", "empty")));
  EXPECT_THAT(table().Query<Room>("GSI1").With<&Room::kind>(RoomKind{9}).All(),
              StatusIs(kValidation, Says("room", "kind", "Spellings")));
  EXPECT_THAT(table()
                  .Query<Booking>("GSI2")
                  .With<&Booking::state>(BookingState::kOpen)
                  .With<&Booking::due_at>(std::nullopt)
                  .All(),
              StatusIs(kValidation, Says("booking", "dueAt", "not given")));
}

TEST_F(QueryTest, RejectsAnIndexThatTheEntityIsNotIn) {
  EXPECT_THAT(table().Query<Room>("GSI2").With<&Room::hotel_id>("h1").All(),
              StatusIs(kValidation, Says("room", "GSI2")));
  EXPECT_THAT(table().Query<Room>("GSI9").All(), StatusIs(kValidation, Says("room", "GSI9")));
}

TEST_F(QueryTest, SkipsAnItemOfAnotherEntityInItsRange) {
  Book("m1", 0);
  const auto query = table().Query<Payment>().With<&Payment::hotel_id>("h1");
  EXPECT_THAT(query.All(), IsOkAndHolds(IsEmpty()));
  EXPECT_EQ(Value(query.Page()).skipped, 1U);
}

// An index holds no entry for an entity that lacks an attribute of the index key.
TEST_F(QueryTest, SparseIndexesHoldOnlyEntitiesWithAllParts) {
  Book("m1", 0);
  Booking due = NewBooking("m2");
  due.due_at = Day(-1);
  due = Value(table().Create(due));
  const auto open = table().Query<Booking>("GSI2").With<&Booking::state>(BookingState::kOpen);
  EXPECT_THAT(open.All(), IsOkAndHolds(ElementsAre(due)));
  auto query = open;
  EXPECT_THAT(query.Between<&Booking::due_at>(Day(-2), Day(-1)).All(),
              IsOkAndHolds(ElementsAre(due)));
}

TEST_F(QueryTest, FiltersByOtherAttributes) {
  for (int i = 0; i < 6; ++i) {
    Booking booking = NewBooking("m" + std::to_string(i));
    booking.guest_id = i % 2 == 0 ? "g1" : "g2";
    Value(table().Create(booking));
  }
  auto theirs = Bookings().Where(AttrOf<&Booking::guest_id>() == "g2");
  EXPECT_THAT(Ids(theirs.All()), ElementsAre("m1", "m3", "m5"));
  EXPECT_THAT(theirs.Count(), IsOkAndHolds(3U));
  EXPECT_THAT(Ids(theirs.Limit(2).All()), ElementsAre("m1", "m3"))
      << "with All, Limit counts the items that pass the filter";
  const auto page = theirs.Page();
  ASSERT_THAT(page, IsOk());
  EXPECT_THAT(page->items, SizeIs(1)) << "with Page, Limit counts the items that are read";
  EXPECT_NE(page->next_cursor, "");
  const auto first = theirs.First();
  ASSERT_THAT(first, IsOk());
  EXPECT_EQ((*first)->id, "m1");
}

TEST_F(QueryTest, FirstIsOneQueryOfOneItem) {
  for (const char* id : {"m1", "m2", "m3"}) Book(id, 0);
  log_.Take();
  const auto first = Bookings().First();
  ASSERT_THAT(first, IsOk());
  EXPECT_EQ((*first)->id, "m1");
  EXPECT_THAT(Operations(), ElementsAre("Query"));
  const auto last = Bookings().Backward().First();
  ASSERT_THAT(last, IsOk());
  EXPECT_EQ((*last)->id, "m3");
  EXPECT_THAT(table().Query<Booking>().With<&Booking::hotel_id>("h9").First(),
              IsOkAndHolds(std::nullopt));
}

TEST_F(QueryTest, CountsWithoutReturningItems) {
  for (int i = 0; i < 7; ++i) Book("m" + std::to_string(i), i % 2);
  EXPECT_THAT(Bookings().Count(), IsOkAndHolds(7U));
  EXPECT_THAT(Bookings().With<&Booking::arrival>(Day(1)).Count(), IsOkAndHolds(3U));
  EXPECT_THAT(table().Query<Booking>().With<&Booking::hotel_id>("h9").Count(), IsOkAndHolds(0U));
}

TEST_F(QueryTest, AllReadsManyPages) {
  std::vector<Room> rooms;
  for (int i = 1; i <= 30; ++i) {
    rooms.push_back({.hotel_id = "h1", .number = i, .note = std::string(100'000, 'x')});
  }
  ASSERT_THAT(table().BatchPut(rooms), IsOk());
  log_.Take();
  EXPECT_THAT(table().Query<Room>().With<&Room::hotel_id>("h1").All(), IsOkAndHolds(rooms));
  EXPECT_THAT(Operations(), SizeIs(3)) << "a page holds 1 MB";
  EXPECT_THAT(table().Query<Room>().With<&Room::hotel_id>("h1").Count(), IsOkAndHolds(30U));
}

// An entity that is spread over several partition keys, to avoid a hot partition. One query reads
// all of them.
struct Arrival {
  int shard = 0;
  std::string at = {};
};
constexpr auto DescribeEntity(const Arrival*) {
  return DefineEntity<Arrival>(
      "arrival",
      {Attribute<&Arrival::shard>("shard").InKeyOnly(), Attribute<&Arrival::at>("at").InKeyOnly()},
      {PrimaryKey("ARRIVALS#{shard}", "{at}")});
}

class WithEachTest : public EntityTest {
 protected:
  WithEachTest() {
    for (const Arrival& arrival : std::vector<Arrival>{
             {0, "09:00"}, {1, "08:00"}, {2, "10:00"}, {0, "11:00"}, {3, "07:00"}}) {
      Value(table().Create(arrival));
    }
    log_.Take();
  }
  static std::vector<std::string> Times(const Result<std::vector<Arrival>>& arrivals) {
    EXPECT_THAT(arrivals, IsOk());
    std::vector<std::string> times;
    if (arrivals.ok()) {
      for (const Arrival& arrival : *arrivals) times.push_back(arrival.at);
    }
    return times;
  }
};

TEST_F(WithEachTest, MergesPartitionsInOneRequest) {
  auto query = table().Query<Arrival>().WithEach<&Arrival::shard>({0, 1, 2});
  EXPECT_THAT(Times(query.All()), ElementsAre("08:00", "09:00", "10:00", "11:00"));
  EXPECT_THAT(Operations(), ElementsAre("Query"));
  EXPECT_THAT(query.Count(), IsOkAndHolds(4U));
  EXPECT_THAT(Times(query.AtLeast<&Arrival::at>("09:00").Backward().Limit(2).All()),
              ElementsAre("11:00", "10:00"));
}

TEST_F(WithEachTest, PagesCoverAllPartitions) {
  auto query = table().Query<Arrival>().WithEach<&Arrival::shard>({0, 1, 2, 3}).Limit(2);
  std::vector<std::string> times;
  std::string cursor;
  do {
    const auto page = Value(query.From(cursor).Page());
    for (const Arrival& arrival : page.items) times.push_back(arrival.at);
    cursor = page.next_cursor;
  } while (!cursor.empty());
  EXPECT_THAT(times, ElementsAre("07:00", "08:00", "09:00", "10:00", "11:00"));
}

TEST_F(WithEachTest, WithEachOfOneValueEqualsWith) {
  EXPECT_THAT(Times(table().Query<Arrival>().WithEach<&Arrival::shard>({1}).All()),
              ElementsAre("08:00"));
}

TEST_F(WithEachTest, RejectsInvalidPartitions) {
  const auto query = [&] { return table().Query<Arrival>(); };
  EXPECT_THAT(query().WithEach<&Arrival::shard>({}).All(),
              StatusIs(kValidation, Says("arrival", "shard", "not given")));
  EXPECT_THAT(query().WithEach<&Arrival::shard>({1, 1}).All(), StatusIs(kValidation, testing::_));
  EXPECT_THAT(query().With<&Arrival::shard>(1).WithEach<&Arrival::at>({"08:00"}).All(),
              StatusIs(kValidation, Says("arrival", "at", "partition")));
  EXPECT_THAT((table().Query<Room>("GSI1").WithEach<&Room::kind>({RoomKind{9}, {}}).All()),
              StatusIs(kValidation, Says("room", "kind", "Spellings")));
}

}  // namespace
}  // namespace dolmen::hotel
