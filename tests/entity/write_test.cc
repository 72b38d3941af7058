// Tests of Create, Put, Get, Find and Remove, and of the attributes that a write fills in.

#include <dolmen/entity.h>
#include <dolmen/testing/simulate.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <optional>
#include <string>
#include <tuple>
#include <vector>

#include "tests/entity/fixture.h"

namespace dolmen::hotel {
namespace {

using std::chrono::hours;
using std::chrono::minutes;

using WriteTest = EntityTest;

TEST_F(WriteTest, CreateStoresTheWholeItem) {
  EXPECT_THAT(table().Create(TheRoom()), IsOkAndHolds(TheRoom()));
  EXPECT_EQ(Stored(Key("HOTEL#h1", "ROOM#0101")), Value(ToItem(TheRoom())));
  EXPECT_THAT(table().Get(TheRoom()), IsOkAndHolds(TheRoom()));
}

TEST_F(WriteTest, CreateRejectsAnExistingEntity) {
  Value(table().Create(TheRoom()));
  Room other = TheRoom();
  other.price = 1;
  EXPECT_THAT(table().Create(other), StatusIs(kInUse,
                                              "there is a room with hotelId \"h1\", number "
                                              "\"0101\" already"));
  EXPECT_THAT(table().Get(other), IsOkAndHolds(TheRoom()));
}

TEST_F(WriteTest, PutReplacesTheWholeEntity) {
  Value(table().Create(TheRoom()));
  const Room bare = {.hotel_id = "h1", .number = 101, .price = 90};
  EXPECT_THAT(table().Put(bare), IsOkAndHolds(bare));
  EXPECT_EQ(Stored(Key("HOTEL#h1", "ROOM#0101")), Value(ToItem(bare)));
  const Room another = {.hotel_id = "h1", .number = 102};
  EXPECT_THAT(table().Put(another), IsOkAndHolds(another)) << "Put creates an absent entity";
}

TEST_F(WriteTest, AnAbsentEntityIsAnErrorOfGetButNotOfFind) {
  EXPECT_THAT(table().Get(TheRoom()),
              StatusIs(kNotFound, "there is no room with hotelId \"h1\", number \"0101\""));
  EXPECT_THAT(table().Find(TheRoom()), IsOkAndHolds(std::nullopt));
  Value(table().Create(TheRoom()));
  EXPECT_THAT(table().Find(TheRoom()), IsOkAndHolds(Optional(TheRoom())));
}

TEST_F(WriteTest, RequestsReadOnlyTheKeyMembersOfAKey) {
  Value(table().Create(TheRoom()));
  const Room key = {.hotel_id = "h1", .number = 101, .kind = RoomKind{9}, .price = -1};
  EXPECT_THAT(table().Get(key), IsOkAndHolds(TheRoom()));
  EXPECT_THAT(table().Remove(key), IsOk());
}

TEST_F(WriteTest, AnIncompleteKeyIsRejected) {
  const Room key = {.number = 101};
  const auto is_refused =
      StatusIs(kValidation, "room: attribute hotelId must not be empty, as it is part of a key");
  EXPECT_THAT(table().Get(key), is_refused);
  EXPECT_THAT(table().Find(key), is_refused);
  EXPECT_THAT(table().Create(key), is_refused);
  EXPECT_THAT(table().Put(key), is_refused);
  EXPECT_THAT(table().Update(key, Changes<Room>().Set<&Room::note>("x")), is_refused);
  EXPECT_THAT(table().Remove(key), is_refused);
  EXPECT_THAT(table().BatchGet(std::vector{TheRoom(), key}), is_refused);
  EXPECT_THAT(table().BatchPut(std::vector{TheRoom(), key}), is_refused);
  EXPECT_THAT(table().BatchRemove(std::vector{TheRoom(), key}), is_refused);
  EXPECT_THAT(table().TransactGet(TheRoom(), key), is_refused);
  EXPECT_THAT(table().Transact().Put(TheRoom()).Put(key).Commit(), is_refused);
  EXPECT_THAT(Operations(), IsEmpty()) << "no request is sent";
}

TEST_F(WriteTest, RemoveDeletesAnExistingEntity) {
  Value(table().Create(TheRoom()));
  EXPECT_THAT(table().Remove(TheRoom()), IsOk());
  EXPECT_THAT(table().Find(TheRoom()), IsOkAndHolds(std::nullopt));
  EXPECT_THAT(table().Remove(TheRoom()),
              StatusIs(kNotFound, "there is no room with hotelId \"h1\", number \"0101\""));
}

TEST_F(WriteTest, RemoveMayHaveACondition) {
  Value(table().Create(TheRoom()));
  const auto is_suite = AttrOf<&Room::kind>() == RoomKind::kSuite;
  EXPECT_THAT(table().Remove(TheRoom(), is_suite), StatusIs(kConditionFailed, testing::_));
  EXPECT_THAT(table().Remove(TheRoom(), !is_suite), IsOk());
  EXPECT_THAT(table().Remove(TheRoom(), is_suite), StatusIs(kNotFound, Says("room", "0101")))
      << "an absent entity is reported before the condition";
}

using FillTest = EntityTest;

TEST_F(FillTest, CreateReturnsWhatItFilledIn) {
  const Booking created = Value(table().Create(NewBooking("")));
  EXPECT_THAT(UlidTime(created.id), IsOkAndHolds(clock_->Now()));
  EXPECT_EQ(created.created_at, clock_->Now());
  EXPECT_EQ(created.updated_at, clock_->Now());
  EXPECT_EQ(created.label, "g1 at h1");
  EXPECT_EQ(created.version, 1);
  EXPECT_THAT(table().Get(created), IsOkAndHolds(created));
}

TEST_F(FillTest, IfUnsetKeepsAValueThatIsSet) {
  Booking booking = NewBooking("b1");
  booking.created_at = Time("2020-01-01T00:00:00Z");
  const Booking created = Value(table().Create(booking));
  EXPECT_EQ(created.id, "b1");
  EXPECT_EQ(created.created_at, Time("2020-01-01T00:00:00Z"));
}

TEST_F(FillTest, AlwaysAndDerivedReplaceAValueThatIsSet) {
  Booking booking = NewBooking("b1");
  booking.updated_at = Time("2020-01-01T00:00:00Z");
  booking.label = "mine";
  booking = Value(table().Create(booking));
  EXPECT_EQ(booking.updated_at, clock_->Now());
  EXPECT_EQ(booking.label, "g1 at h1");

  clock_->Advance(hours(1));
  booking.guest_id = "g2";
  booking = Value(table().Put(booking));
  EXPECT_EQ(booking.updated_at, clock_->Now());
  EXPECT_EQ(booking.created_at, clock_->Now() - hours(1));
  EXPECT_EQ(booking.label, "g2 at h1");
  EXPECT_THAT(table().Get(booking), IsOkAndHolds(booking));
}

TEST_F(FillTest, BatchPutFillsAttributes) {
  EXPECT_THAT(table().BatchPut(std::vector{Visits{.page = "a"}}), IsOk());
  EXPECT_EQ(Value(table().Get(Visits{.page = "a"})).first_at, clock_->Now());
}

using VersionTest = EntityTest;

TEST_F(VersionTest, CountsTheWrites) {
  Booking booking = Value(table().Put(NewBooking("b1")));
  EXPECT_EQ(booking.version, 1);
  booking = Value(table().Put(booking));
  EXPECT_EQ(booking.version, 2);
  booking = Value(table().Update(booking, Changes<Booking>().Set<&Booking::guest_id>("g1")));
  EXPECT_EQ(booking.version, 3);
  EXPECT_THAT(table().Get(booking), IsOkAndHolds(booking));
}

TEST_F(VersionTest, PutRejectsAnEntityWrittenSinceItWasRead) {
  const Booking read = Value(table().Create(NewBooking("b1")));
  Value(table().Put(read));
  EXPECT_THAT(table().Put(read),
              StatusIs(kConflict,
                       "booking with hotelId \"h1\", arrival \"2026-05-01\", bookingId "
                       "\"b1\" has been changed: it has version 2, not 1"));
}

TEST_F(VersionTest, PutRejectsAnEntityRemovedSinceItWasRead) {
  const Booking read = Value(table().Create(NewBooking("b1")));
  ASSERT_THAT(table().Remove(read), IsOk());
  EXPECT_THAT(table().Put(read), StatusIs(kConflict, Says("booking", "b1", "has been removed")));
  EXPECT_THAT(table().Find(read), IsOkAndHolds(std::nullopt));
}

TEST_F(VersionTest, PutWithoutAVersionRejectsAnExistingEntity) {
  const Booking first = Value(table().Put(NewBooking("b1")));
  EXPECT_THAT(table().Put(NewBooking("b1")),
              StatusIs(kConflict, Says("booking", "b1", "has version 1, not 0")));
  EXPECT_THAT(table().Get(first), IsOkAndHolds(first));
}

TEST_F(VersionTest, CreateStartsTheVersionAtOne) {
  Booking booking = NewBooking("b1");
  booking.version = 41;
  EXPECT_EQ(Value(table().Create(booking)).version, 1);
}

using BatchTest = EntityTest;

std::vector<Room> Rooms(int count) {
  std::vector<Room> rooms;
  for (int i = 1; i <= count; ++i) rooms.push_back({.hotel_id = "h1", .number = i, .price = i});
  return rooms;
}

TEST_F(BatchTest, WritesInBatchesOf25AndReadsInBatchesOf100) {
  const std::vector<Room> rooms = Rooms(120);
  EXPECT_THAT(table().BatchPut(rooms), IsOk());
  EXPECT_EQ(Operations(), std::vector<std::string>(5, "BatchWriteItem"));
  EXPECT_THAT(table().BatchGet(rooms), IsOkAndHolds(rooms)) << "in the order of the keys";
  EXPECT_EQ(Operations(), std::vector<std::string>(2, "BatchGetItem"));
  EXPECT_THAT(table().BatchRemove(rooms), IsOk());
  EXPECT_EQ(Operations(), std::vector<std::string>(5, "BatchWriteItem"));
  EXPECT_THAT(table().BatchGet(rooms), IsOkAndHolds(IsEmpty()));
}

// A service, or a simulation, may leave some items of a batch unprocessed.
TEST(PartialBatchTest, UnprocessedItemsAreSentAgain) {
  const Database database =
      Value(Database::InMemory({.expiry_lag = std::nullopt, .simulate = Simulate({})}));
  const EntityTable table = Value(EntityTable::Open(
      database, {.name = "hotels", .indexes = {"GSI1", "GSI2"}, .time_to_live = "expiresAt"}));
  const Simulation simulation = Value(Simulation::Of(database));
  const std::vector<Room> rooms = Rooms(30);
  for (std::uint64_t seed = 1; seed <= 5; ++seed) {
    SCOPED_TRACE(seed);
    const auto cut_batches = [&] {
      EXPECT_THAT(
          simulation.Restart(
              {.seed = seed, .rules = {{.fault = SimulatedFault::kPartialBatch, .calls_max = 1}}}),
          IsOk());
    };
    cut_batches();
    EXPECT_THAT(table.BatchPut(rooms), IsOk());
    EXPECT_THAT(simulation.Trace(), testing::SizeIs(1));
    cut_batches();
    EXPECT_THAT(table.BatchGet(rooms), IsOkAndHolds(rooms)) << "in the order of the keys";
    cut_batches();
    EXPECT_THAT(table.BatchRemove(rooms), IsOk());
    EXPECT_THAT(table.BatchGet(rooms), IsOkAndHolds(IsEmpty()));
  }
}

TEST_F(BatchTest, AnEmptyBatchSendsNoRequest) {
  EXPECT_THAT(table().BatchPut(std::vector<Room>()), IsOk());
  EXPECT_THAT(table().BatchRemove(std::vector<Room>()), IsOk());
  EXPECT_THAT(table().BatchGet(std::vector<Room>()), IsOkAndHolds(IsEmpty()));
  EXPECT_THAT(Operations(), IsEmpty());
}

TEST_F(BatchTest, GetReturnsTheEntitiesThatExist) {
  const std::vector<Room> rooms = Rooms(3);
  Value(table().Create(rooms[2]));
  Value(table().Create(rooms[0]));
  EXPECT_THAT(table().BatchGet(rooms), IsOkAndHolds(ElementsAre(rooms[0], rooms[2])));
}

TEST_F(BatchTest, PutReplacesAndRemoveIgnoresAbsentEntities) {
  Value(table().Create(TheRoom()));
  const Room bare = {.hotel_id = "h1", .number = 101};
  EXPECT_THAT(table().BatchPut(std::vector{bare}), IsOk());
  EXPECT_THAT(table().Get(bare), IsOkAndHolds(bare));
  EXPECT_THAT(table().BatchRemove(Rooms(2)), IsOk());
}

TEST_F(BatchTest, PutWritesNothingIfOneEntityIsInvalid) {
  std::vector<Room> rooms = Rooms(2);
  rooms[1].kind = RoomKind{9};
  EXPECT_THAT(table().BatchPut(rooms), StatusIs(kValidation, Says("room", "kind")));
  EXPECT_THAT(table().BatchGet(rooms), IsOkAndHolds(IsEmpty()));
}

// BatchWriteItem has no conditions, so BatchPut cannot check the version of an entity. It therefore
// rejects entities that have a version.
TEST_F(BatchTest, PutRejectsEntitiesWithAVersion) {
  EXPECT_THAT(table().BatchPut(std::vector{NewBooking("b1")}),
              StatusIs(kValidation, Says("booking", "version")));
  EXPECT_THAT(table().BatchRemove(std::vector{NewBooking("b1")}), IsOk());
}

TEST_F(BatchTest, RemoveAllDeletesWhatEachQueryFinds) {
  EXPECT_THAT(table().BatchPut(Rooms(60)), IsOk());
  Value(table().Put(Hotel{.id = "h1", .name = "Menhir"}));
  Value(table().Create(NewBooking("b1")));
  Value(table().Create(Room{.hotel_id = "h2", .number = 1}));
  const auto rooms = table().Query<Room>().With<&Room::hotel_id>("h1");
  const auto bookings = table().Query<Hotel, Booking>().With<&Hotel::id>("h1");
  Operations();

  EXPECT_THAT(RemoveAll(table(), EntityQuery(rooms).Limit(40), bookings), IsOk());
  EXPECT_THAT(Operations(),
              ElementsAre("Query", "BatchWriteItem", "BatchWriteItem", "Query", "BatchWriteItem",
                          "Query", "BatchWriteItem", "BatchWriteItem"));
  EXPECT_THAT(rooms.All(), IsOkAndHolds(IsEmpty()));
  EXPECT_THAT(bookings.All(), IsOkAndHolds(IsEmpty()));
  EXPECT_THAT(table().Scan<Room>().All(), IsOkAndHolds(testing::SizeIs(1))) << "of h2";
  EXPECT_THAT(RemoveAll(table(), rooms, bookings), IsOk()) << "nothing is found";
}

TEST_F(BatchTest, RemoveAllStopsAtTheFirstError) {
  Value(table().Create(TheRoom()));
  EXPECT_THAT(RemoveAll(table(), table().Query<Booking>(),
                        table().Query<Room>().With<&Room::hotel_id>("h1")),
              StatusIs(kValidation, Says("booking", "hotelId")));
  EXPECT_THAT(table().Get(TheRoom()), IsOkAndHolds(TheRoom()));
}

using TransactGetTest = EntityTest;

TEST_F(TransactGetTest, ReadsDifferentEntitiesAtOneMoment) {
  const Booking booking = Value(table().Create(NewBooking("b1")));
  Value(table().Create(TheRoom()));
  log_.Take();
  EXPECT_THAT(table().TransactGet(Hotel{.id = "h1"}, TheRoom(), booking),
              IsOkAndHolds(std::tuple(std::optional<Hotel>(), std::optional(TheRoom()),
                                      std::optional(booking))));
  EXPECT_THAT(Operations(), ElementsAre("TransactGetItems"));
}

using ExpiryTest = EntityTest;

// With EntityTableInput::time_to_live, all requests treat an expired entity as absent.
TEST_F(ExpiryTest, AnExpiredEntityIsAbsent) {
  const Visits visits = Value(
      table().Create(Visits{.page = "a", .count = 1, .expires_at = clock_->Now() + minutes(10)}));
  clock_->Advance(minutes(10));
  EXPECT_THAT(table().Find(visits), IsOkAndHolds(Optional(testing::_)));
  clock_->Advance(minutes(1));
  EXPECT_THAT(table().Find(visits), IsOkAndHolds(std::nullopt));
  EXPECT_THAT(table().Remove(visits), StatusIs(kNotFound, Says("visits", "page \"a\"")));
  EXPECT_THAT(table().Query<Visits>().With<&Visits::page>("a").All(), IsOkAndHolds(IsEmpty()));
  EXPECT_THAT(table().BatchGet(std::vector{visits}), IsOkAndHolds(IsEmpty()));
  EXPECT_THAT(table().Create(Visits{.page = "a"}), IsOk());
}

using OpenTest = EntityTest;

TEST_F(OpenTest, OpensAnExistingTable) {
  Value(table().Create(TheRoom()));
  const EntityTable again = Value(EntityTable::Open(
      database_, {.name = "hotels", .indexes = {"GSI1"}, .time_to_live = "expiresAt"}));
  EXPECT_THAT(again.Get(TheRoom()), IsOkAndHolds(TheRoom()));
}

TEST_F(OpenTest, RejectsATableWithoutTheIndex) {
  EXPECT_THAT(EntityTable::Open(database_, {.name = "hotels", .indexes = {"GSI1", "GSI9"}}),
              StatusIs(kValidation, Says("hotels", "GSI9")));
}

TEST_F(OpenTest, UsesTheDatabasesClockAndUlids) {
  EXPECT_EQ(table().Now(), clock_->Now());
  const std::string first = table().NewUlid();
  EXPECT_LT(first, table().NewUlid());
  EXPECT_THAT(UlidTime(first), IsOkAndHolds(clock_->Now()));
  EXPECT_THAT(table().table().name(), "hotels");
}

struct Coupon {
  std::string code = {};
  std::string label = {};

  friend bool operator==(const Coupon&, const Coupon&) = default;
};
constexpr auto DescribeEntity(const Coupon*) {
  return DefineEntity<Coupon>(
      "coupon",
      {Attribute<&Coupon::code>("code").IfUnset<NewUuid>(), Attribute<&Coupon::label>("label")},
      {PrimaryKey("COUPON#{code}", "COUPON")});
}

TEST_F(WriteTest, AnIdCanBeAUuid) {
  const Coupon first = Value(table().Create(Coupon{.label = "first"}));
  const Coupon second = Value(table().Create(Coupon{.label = "second"}));
  EXPECT_EQ(first.code.size(), 36U);
  EXPECT_NE(first.code, second.code);
  EXPECT_THAT(table().Get(Coupon{.code = first.code}), IsOkAndHolds(first));
}

}  // namespace
}  // namespace dolmen::hotel
