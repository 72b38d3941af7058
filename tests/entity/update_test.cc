// Tests of updates: the effects and the limits of Changes, and the index keys that they change.

#include <dolmen/entity.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <optional>
#include <string>

#include "tests/entity/fixture.h"

namespace dolmen::hotel {
namespace {

using std::chrono::hours;
using testing::_;
using testing::Contains;
using testing::Not;

class UpdateTest : public EntityTest {
 protected:
  UpdateTest() {
    Value(table().Create(TheRoom()));
    booking_ = Value(table().Create(NewBooking("b1")));
  }

  Item RoomItem() const { return Stored({{"PK", "HOTEL#h1"}, {"SK", "ROOM#0101"}}); }
  Item BookingItem() const { return Stored({{"PK", "HOTEL#h1"}, {"SK", "BOOKING#2026-05-01#b1"}}); }

  Booking booking_;
};

TEST_F(UpdateTest, ReturnsTheUpdatedEntity) {
  Room expected = TheRoom();
  expected.note = "loud";
  EXPECT_THAT(table().Update(TheRoom(), Changes<Room>().Set<&Room::note>("loud")),
              IsOkAndHolds(expected));
  EXPECT_EQ(RoomItem(), Value(ToItem(expected)));
}

TEST_F(UpdateTest, SettingAnEmptyOptionalRemovesTheAttribute) {
  Room expected = TheRoom();
  expected.note.reset();
  expected.features.clear();
  EXPECT_THAT(table().Update(
                  TheRoom(),
                  Changes<Room>().Set<&Room::note>(std::nullopt).Set<&Room::features>(StringSet())),
              IsOkAndHolds(expected));
  EXPECT_EQ(RoomItem(), Value(ToItem(expected)));
}

TEST_F(UpdateTest, RemoveRequiresAnOptionalAttribute) {
  Room expected = TheRoom();
  expected.note.reset();
  const auto changes = Changes<Room>().Remove<&Room::note>();
  EXPECT_THAT(table().Update(TheRoom(), changes), IsOkAndHolds(expected));
  EXPECT_THAT(table().Update(TheRoom(), changes), IsOkAndHolds(expected))
      << "removing an absent attribute succeeds";
  EXPECT_THAT(table().Update(booking_, Changes<Booking>().Remove<&Booking::guest_id>()),
              StatusIs(kValidation, "booking: attribute guestId is required"));
}

TEST_F(UpdateTest, SetIfAbsentKeepsAnExistingValue) {
  const auto changes = Changes<Room>().SetIfAbsent<&Room::note>("loud");
  EXPECT_THAT(table().Update(TheRoom(), changes), IsOkAndHolds(TheRoom()));
  Value(table().Update(TheRoom(), Changes<Room>().Remove<&Room::note>()));
  EXPECT_THAT(Value(table().Update(TheRoom(), changes)).note, Optional(std::string("loud")));
}

TEST_F(UpdateTest, SetIfAbsentWithAnEmptyOptionalChangesNothing) {
  EXPECT_THAT(table().Update(TheRoom(), Changes<Room>().SetIfAbsent<&Room::note>(std::nullopt)),
              IsOkAndHolds(TheRoom()));
}

TEST_F(UpdateTest, AddIncrementsAndDecrements) {
  Value(table().Create(Visits{.page = "a", .count = 5}));
  const auto add = [&](std::int64_t addend) {
    return Value(table().Update(Visits{.page = "a"}, Changes<Visits>().Add<&Visits::count>(addend)))
        .count;
  };
  EXPECT_EQ(add(1), 6);
  EXPECT_EQ(add(-8), -2);
}

TEST_F(UpdateTest, AddAndDeleteChangeSets) {
  Room room = Value(
      table().Update(TheRoom(), Changes<Room>().Add<&Room::features>(StringSet{"bath", "view"})));
  EXPECT_EQ(room.features, (StringSet{"balcony", "bath", "view"}));
  room = Value(table().Update(TheRoom(),
                              Changes<Room>().Delete<&Room::features>(StringSet{"bath", "sauna"})));
  EXPECT_EQ(room.features, (StringSet{"balcony", "view"}));
  room = Value(table().Update(
      TheRoom(), Changes<Room>().Delete<&Room::features>(StringSet{"balcony", "view"})));
  EXPECT_EQ(room.features, StringSet()) << "removing the last member removes the attribute";
  EXPECT_THAT(RoomItem(), Not(Contains(testing::Key("features"))));
}

TEST_F(UpdateTest, NestedStructsAreSetAsAWhole) {
  Value(table().Create(Hotel{.id = "h1", .name = "Rheinblick"}));
  const Address address = {.street = "Quay 1", .city = "Bonn"};
  EXPECT_THAT(table().Update(Hotel{.id = "h1"}, Changes<Hotel>().Set<&Hotel::address>(address)),
              IsOkAndHolds(Hotel{.id = "h1", .name = "Rheinblick", .address = address}));
}

TEST_F(UpdateTest, UpdateWritesAlwaysAttributesAndTheVersion) {
  clock_->Advance(hours(1));
  const Booking updated =
      Value(table().Update(booking_, Changes<Booking>().Set<&Booking::guest_id>("g1")));
  EXPECT_EQ(updated.updated_at, clock_->Now());
  EXPECT_EQ(updated.created_at, booking_.created_at);
  EXPECT_EQ(updated.version, 2);
  EXPECT_EQ(Value(table().Update(booking_, Changes<Booking>())).version, 3)
      << "an update without changes also increments the version";
}

TEST_F(UpdateTest, RejectsAnAbsentEntity) {
  const Room other = {.hotel_id = "h1", .number = 102};
  EXPECT_THAT(table().Update(other, Changes<Room>().Set<&Room::note>("x")),
              StatusIs(kNotFound, "there is no room with hotelId \"h1\", number \"0102\""));
  EXPECT_THAT(table().Find(other), IsOkAndHolds(std::nullopt));
}

TEST_F(UpdateTest, RejectsReadOnlyAttributes) {
  const auto refuses = [&](const Changes<Booking>& changes, const std::string& attribute) {
    EXPECT_THAT(table().Update(booking_, changes),
                StatusIs(kValidation, "booking: attribute " + attribute + " is read-only"));
  };
  refuses(Changes<Booking>().Set<&Booking::created_at>(Timestamp()), "createdAt");
  refuses(Changes<Booking>().SetIfAbsent<&Booking::created_at>(Timestamp()), "createdAt");
  refuses(Changes<Booking>().Remove<&Booking::created_at>(), "createdAt");
  refuses(Changes<Booking>().Set<&Booking::updated_at>(Timestamp()), "updatedAt");
  refuses(Changes<Booking>().Set<&Booking::label>("mine"), "label");
  refuses(Changes<Booking>().Set<&Booking::version>(7), "version");
  refuses(Changes<Booking>().Add<&Booking::version>(7), "version");
  EXPECT_THAT(table().Get(booking_), IsOkAndHolds(booking_));
}

TEST_F(UpdateTest, RejectsPartsOfThePrimaryKey) {
  EXPECT_THAT(table().Update(booking_, Changes<Booking>().Set<&Booking::arrival>(Timestamp())),
              StatusIs(kValidation,
                       "booking: attribute arrival can't be changed, as it is part of "
                       "the primary key"));
  EXPECT_THAT(table().Update(TheRoom(), Changes<Room>().Add<&Room::number>(1)),
              StatusIs(kValidation, Says("room", "number", "primary key")));
}

TEST_F(UpdateTest, RejectsValuesThatCannotBeStored) {
  EXPECT_THAT(
      table().Update(TheRoom(), Changes<Room>().Set<&Room::price>(1).Set<&Room::kind>(RoomKind{9})),
      StatusIs(kValidation, "room: attribute kind is 9, which Spellings does not list"));
  EXPECT_THAT(table().Update(booking_, Changes<Booking>()
                                           .Set<&Booking::due_at>(Timestamp::max())
                                           .Set<&Booking::state>(BookingState::kOpen)),
              StatusIs(kValidation, Says("booking", "dueAt")));
}

// A missing item, a wrong version and a false condition have different errors.
TEST_F(UpdateTest, AbsenceConflictAndFalseConditionAreDifferentErrors) {
  const auto update = [&](const Booking& key, std::int64_t version, const char* guest) {
    return table().Update(key,
                          Changes<Booking>().Set<&Booking::guest_id>("g2").IfVersion(version).If(
                              AttrOf<&Booking::guest_id>() == guest));
  };
  EXPECT_THAT(table().Update(NewBooking("b2"), Changes<Booking>().Set<&Booking::guest_id>("g2").If(
                                                   AttrOf<&Booking::guest_id>() == "g1")),
              StatusIs(kNotFound, Says("booking", "b2")));
  EXPECT_THAT(update(booking_, 7, "g1"),
              StatusIs(kConflict, Says("booking", "b1", "has version 1, not 7")));
  EXPECT_THAT(update(booking_, 1, "g9"), StatusIs(kConditionFailed, _));
  EXPECT_THAT(table().Get(booking_), IsOkAndHolds(booking_));
  EXPECT_EQ(Value(update(booking_, 1, "g1")).version, 2);
}

TEST_F(UpdateTest, AVersionThatWasRemovedIsAConflict) {
  ASSERT_THAT(table().Remove(booking_), IsOk());
  EXPECT_THAT(
      table().Update(booking_, Changes<Booking>().Set<&Booking::guest_id>("g2").IfVersion(1)),
      StatusIs(kConflict, Says("booking", "b1", "has been removed")));
}

TEST_F(UpdateTest, IfVersionRequiresAnEntityWithAVersion) {
  EXPECT_THAT(table().Update(TheRoom(), Changes<Room>().Set<&Room::note>("x").IfVersion(1)),
              StatusIs(kValidation, Says("room", "version")));
}

TEST_F(UpdateTest, SeveralConditionsHoldTogether) {
  const auto changes = Changes<Room>()
                           .Set<&Room::note>("loud")
                           .If(AttrOf<&Room::price>() >= 100)
                           .If(AttrOf<&Room::note>().Exists());
  EXPECT_THAT(table().Update(TheRoom(), changes), IsOk());
  Value(table().Update(TheRoom(), Changes<Room>().Remove<&Room::note>()));
  EXPECT_THAT(table().Update(TheRoom(), changes), StatusIs(kConditionFailed, _));
}

TEST_F(UpdateTest, ConditionsCompareLikeTheMembers) {
  const auto holds = [&](const ConditionBuilder& condition) {
    const auto updated =
        table().Update(TheRoom(), Changes<Room>().Set<&Room::note>("quiet").If(condition));
    EXPECT_TRUE(updated.ok() || updated.status().code() == kConditionFailed);
    return updated.ok();
  };
  using Price = AttrOf<&Room::price>;
  using Kind = AttrOf<&Room::kind>;
  using Note = AttrOf<&Room::note>;
  EXPECT_TRUE(holds(Price() == 120 && Price() != 121 && Price() < 121 && Price() <= 120));
  EXPECT_TRUE(holds(Price() > 119 && Price() >= 120));
  EXPECT_FALSE(holds(Price() != 120 || Price() < 120 || Price() > 120));
  EXPECT_TRUE(holds(Kind() == RoomKind::kDouble));
  EXPECT_FALSE(holds(Kind() == RoomKind::kSuite));
  EXPECT_TRUE(holds(Note() == "quiet" && Note().BeginsWith("qu")));
  EXPECT_FALSE(holds(Note().NotExists()));
  EXPECT_TRUE(holds((AttrOf<&Room::features>() == StringSet{"bath", "balcony"})));
  EXPECT_FALSE(holds(Kind() == RoomKind{9})) << "a value that cannot be stored is never equal";
}

using IndexKeyTest = UpdateTest;

TEST_F(IndexKeyTest, IndexKeysFollowTheirParts) {
  Value(table().Update(booking_, Changes<Booking>().Set<&Booking::guest_id>("g2")));
  EXPECT_EQ(BookingItem().at("GSI1PK"), AttributeValue("GUEST#g2"));
  EXPECT_EQ(BookingItem().at("GSI1SK"), AttributeValue("ARRIVAL#2026-05-01T15:00:00.000Z"))
      << "the other part comes from the primary key";
}

// The update sets one part of the key in GSI1. The other part comes from the item.
TEST_F(IndexKeyTest, TheItemSuppliesThePartsThatTheUpdateDoesNotSet) {
  Room expected = TheRoom();
  expected.price = 121;
  EXPECT_THAT(table().Update(TheRoom(), Changes<Room>().Add<&Room::price>(1)),
              IsOkAndHolds(expected));
  EXPECT_EQ(RoomItem(), Value(ToItem(expected)));
  expected.kind = RoomKind::kSuite;
  EXPECT_THAT(table()
                  .Transact()
                  .Update(TheRoom(), Changes<Room>().Set<&Room::kind>(RoomKind::kSuite))
                  .Commit(),
              IsOk());
  EXPECT_EQ(RoomItem(), Value(ToItem(expected)));
}

TEST_F(IndexKeyTest, AnUpdateAddsAKeyThatTheItemLacks) {
  const Item whole = RoomItem();
  Item item = whole;
  item.erase("GSI1PK");
  item.erase("GSI1SK");
  Store(item);
  EXPECT_THAT(table().Update(TheRoom(), Changes<Room>().Set<&Room::note>("quiet")), IsOk());
  EXPECT_EQ(RoomItem(), whole);
  Store(item);
  EXPECT_THAT(
      table().Transact().Update(TheRoom(), Changes<Room>().Set<&Room::note>("quiet")).Commit(),
      IsOk());
  EXPECT_EQ(RoomItem(), whole);
}

TEST_F(IndexKeyTest, AnIndexKeyExistsOnlyWithItsOptionalPart) {
  EXPECT_THAT(BookingItem(), Not(Contains(testing::Key("GSI2PK"))));
  const auto due = Changes<Booking>()
                       .Set<&Booking::state>(BookingState::kOpen)
                       .Set<&Booking::due_at>(Time("2026-04-20T00:00:00Z"));
  const Booking with = Value(table().Update(booking_, due));
  EXPECT_EQ(BookingItem(), Value(ToItem(with)));
  EXPECT_THAT(table().Query<Booking>("GSI2").With<&Booking::state>(BookingState::kOpen).All(),
              IsOkAndHolds(ElementsAre(with)));

  const Booking without =
      Value(table().Update(booking_, Changes<Booking>().Remove<&Booking::due_at>()));
  EXPECT_EQ(BookingItem(), Value(ToItem(without)));
  EXPECT_THAT(BookingItem(), Not(Contains(testing::Key("GSI2SK"))));
}

TEST_F(IndexKeyTest, PartsOfIndexKeysAreChecked) {
  EXPECT_THAT(table().Update(booking_, Changes<Booking>().Set<&Booking::guest_id>("g#2")),
              StatusIs(kValidation, Says("booking", "guestId", "#")));
  EXPECT_THAT(table().Update(booking_, Changes<Booking>().Set<&Booking::guest_id>("")),
              StatusIs(kValidation, Says("booking", "guestId", "empty")));
}

using OrCreateTest = UpdateTest;

Result<Visits> Visit(const EntityTable& table, const std::string& visitor) {
  return table.Update(Visits{.page = "/a#1"}, Changes<Visits>()
                                                  .Add<&Visits::count>(1)
                                                  .Add<&Visits::visitors>(StringSet{visitor})
                                                  .OrCreate());
}

TEST_F(OrCreateTest, CreatesTheEntityFromKeyChangesAndIfUnset) {
  const Visits made = Value(Visit(table(), "Ann"));
  EXPECT_EQ(made,
            (Visits{.page = "/a#1", .count = 1, .visitors = {"Ann"}, .first_at = clock_->Now()}));
  EXPECT_EQ(Stored({{"PK", "VISITS#/a#1"}, {"SK", "VISITS"}}), Value(ToItem(made)));
}

TEST_F(OrCreateTest, UpdatesAnExistingEntity) {
  const Timestamp first_at = Value(Visit(table(), "Ann")).first_at;
  clock_->Advance(hours(1));
  EXPECT_THAT(Visit(table(), "Bob"),
              IsOkAndHolds(Visits{
                  .page = "/a#1", .count = 2, .visitors = {"Ann", "Bob"}, .first_at = first_at}));
}

TEST_F(OrCreateTest, ANewEntityHasTheInitialisersOfTheOtherMembers) {
  const Visits made = {.page = "b", .visitors = {"Ann"}, .first_at = clock_->Now()};
  EXPECT_THAT(table().Update(Visits{.page = "b"},
                             Changes<Visits>().Add<&Visits::visitors>(StringSet{"Ann"}).OrCreate()),
              IsOkAndHolds(made));
  EXPECT_EQ(Stored({{"PK", "VISITS#b"}, {"SK", "VISITS"}}), Value(ToItem(made)));
}

TEST_F(OrCreateTest, ANewEntityHasDerivedAttributes) {
  const Booking key = NewBooking("b9");
  const Booking made =
      Value(table().Update(key, Changes<Booking>().Set<&Booking::guest_id>("g7").OrCreate()));
  EXPECT_EQ(made.label, "g7 at h1");
  EXPECT_EQ(made.version, 1);
  EXPECT_EQ(Stored({{"PK", "HOTEL#h1"}, {"SK", "BOOKING#2026-05-01#b9"}}), Value(ToItem(made)));
}

TEST_F(OrCreateTest, WritesKeyAttributesAndIndexKeys) {
  const Room made = {.hotel_id = "h1", .number = 7, .kind = RoomKind::kSuite, .price = 300};
  EXPECT_THAT(
      table().Update(
          made,
          Changes<Room>().Set<&Room::kind>(made.kind).Set<&Room::price>(made.price).OrCreate()),
      IsOkAndHolds(made));
  EXPECT_EQ(Stored({{"PK", "HOTEL#h1"}, {"SK", "ROOM#0007"}}), Value(ToItem(made)));
}

TEST_F(OrCreateTest, AcceptsAConditionOfTheCaller) {
  const auto visit = [&](int below) {
    return table().Update(Visits{.page = "a"}, Changes<Visits>()
                                                   .Add<&Visits::count>(1)
                                                   .If(AttrOf<&Visits::count>().NotExists() ||
                                                       AttrOf<&Visits::count>() < below)
                                                   .OrCreate());
  };
  EXPECT_THAT(visit(2), IsOk());
  EXPECT_THAT(visit(2), IsOk());
  EXPECT_THAT(visit(2), StatusIs(kConditionFailed, _));
}

// An entity whose index key contains createdAt. If the program leaves createdAt unset, the write
// sets it to the current time.
struct Entry {
  std::string id = {};
  int size = 0;
  Timestamp created_at = {};
};
constexpr auto DescribeEntity(const Entry*) {
  return DefineEntity<Entry>(
      "entry",
      {Attribute<&Entry::id>("id"), Attribute<&Entry::size>("size"),
       Attribute<&Entry::created_at>("createdAt").IfUnset<Now>().ReadOnly()},
      {PrimaryKey("ENTRY#{id}", "ENTRY"), IndexKey("GSI1", "ENTRIES", "{createdAt}")});
}

TEST_F(OrCreateTest, WritesIndexKeysWithFilledParts) {
  const auto grow = [&] {
    return table().Update(Entry{.id = "1"}, Changes<Entry>().Add<&Entry::size>(1).OrCreate());
  };
  const Entry made = Value(grow());
  const Item key = {{"PK", "ENTRY#1"}, {"SK", "ENTRY"}};
  EXPECT_EQ(Stored(key), Value(ToItem(made)));
  clock_->Advance(hours(1));
  const Entry grown = Value(grow());
  EXPECT_EQ(grown.created_at, made.created_at);
  EXPECT_EQ(Stored(key), Value(ToItem(grown))) << "the index key still matches the attribute";
}

// GSI1 was added to the entity after the item was written.
TEST_F(OrCreateTest, AddsAMissingIndexKeyFromTheStoredValues) {
  const auto grow = [&] {
    return table().Update(Entry{.id = "1"}, Changes<Entry>().Add<&Entry::size>(1).OrCreate());
  };
  const Item key = {{"PK", "ENTRY#1"}, {"SK", "ENTRY"}};
  const Entry made = Value(grow());
  Item old = Stored(key);
  old.erase("GSI1PK");
  old.erase("GSI1SK");
  Store(old);
  clock_->Advance(hours(1));
  const Entry grown = Value(grow());
  EXPECT_EQ(grown.created_at, made.created_at);
  EXPECT_EQ(Stored(key), Value(ToItem(grown)));
  old.erase("createdAt");  // the update fills in the attribute and the key
  Store(old);
  const Entry filled = Value(grow());
  EXPECT_EQ(filled.created_at, clock_->Now());
  EXPECT_EQ(Stored(key), Value(ToItem(filled)));
}

}  // namespace
}  // namespace dolmen::hotel
