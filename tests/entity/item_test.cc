// Tests of converting entities to items, and of reading items that other programs have written. A
// read returns the whole entity, or an error that names the attribute and the problem.

#include <dolmen/entity.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "tests/entity/fixture.h"

namespace dolmen::hotel {
namespace {

Booking WholeBooking() {
  return {.hotel_id = "h1",
          .arrival = Time("2026-05-01T15:00:00Z"),
          .id = "b1",
          .guest_id = "g1",
          .state = BookingState::kPaid,
          .due_at = Time("2026-04-20T00:00:00Z"),
          .label = "g1 at h1",
          .created_at = Time("2026-04-15T10:30:00.250Z"),
          .updated_at = Time("2026-04-16T08:00:00Z"),
          .version = 3};
}

Item BookingItem() {
  return {{"PK", "HOTEL#h1"},
          {"SK", "BOOKING#2026-05-01#b1"},
          {"GSI1PK", "GUEST#g1"},
          {"GSI1SK", "ARRIVAL#2026-05-01T15:00:00.000Z"},
          {"GSI2PK", "STATE#paid"},
          {"GSI2SK", "DUE#2026-04-20T00:00:00.000Z"},
          {"entityType", "booking"},
          {"hotelId", "h1"},
          {"arrival", "2026-05-01T15:00:00.000Z"},
          {"bookingId", "b1"},
          {"guestId", "g1"},
          {"state", "paid"},
          {"dueAt", "2026-04-20T00:00:00.000Z"},
          {"label", "g1 at h1"},
          {"createdAt", "2026-04-15T10:30:00.250Z"},
          {"updatedAt", "2026-04-16T08:00:00.000Z"},
          {"version", 3}};
}

Item Without(Item item, const std::string& name) {
  EXPECT_EQ(item.erase(name), 1U);
  return item;
}
Item With(Item item, const std::string& name, const AttributeValue& value) {
  item.insert_or_assign(name, value);
  return item;
}

TEST(ItemTest, AnItemHasKeysTypeAndAttributes) {
  EXPECT_THAT(ToItem(WholeBooking()), IsOkAndHolds(BookingItem()));
  EXPECT_THAT(Read<Booking>(BookingItem()), IsOkAndHolds(WholeBooking()));
}

TEST(ItemTest, AKeyOnlyMemberHasNoAttribute) {
  const Item item = {{"PK", "HOTEL#h1"},
                     {"SK", "ROOM#0101"},
                     {"GSI1PK", "KIND#double"},
                     {"GSI1SK", "PRICE#000120"},
                     {"entityType", "room"},
                     {"kind", "double"},
                     {"price", 120},
                     {"note", "quiet"},
                     {"features", StringSet{"balcony", "bath"}}};
  EXPECT_THAT(ToItem(TheRoom()), IsOkAndHolds(item));
  EXPECT_THAT(Read<Room>(item), IsOkAndHolds(TheRoom()));
}

TEST(ItemTest, AnAbsentMemberHasNoAttribute) {
  const Room room = {.hotel_id = "h1", .number = 7, .price = 80};
  EXPECT_THAT(ToItem(room), IsOkAndHolds(Item{{"PK", "HOTEL#h1"},
                                              {"SK", "ROOM#0007"},
                                              {"GSI1PK", "KIND#single"},
                                              {"GSI1SK", "PRICE#000080"},
                                              {"entityType", "room"},
                                              {"kind", "single"},
                                              {"price", 80}}));
}

// If an entity lacks a part of an index key, its item gets neither attribute of this key. The
// sparse index then does not hold the item.
TEST(ItemTest, AnIndexKeyWithAnAbsentPartIsNotWritten) {
  Booking booking = WholeBooking();
  booking.due_at.reset();
  Item expected = BookingItem();
  for (const char* name : {"dueAt", "GSI2PK", "GSI2SK"}) expected = Without(expected, name);
  EXPECT_THAT(ToItem(booking), IsOkAndHolds(expected));
}

TEST(ItemTest, AnErrorNamesTheMemberThatCannotBeStored) {
  Room room = TheRoom();
  room.kind = RoomKind{9};
  EXPECT_THAT(ToItem(room),
              StatusIs(kValidation, "room: attribute kind is 9, which Spellings does not list"));
  Booking booking = WholeBooking();
  booking.updated_at = Timestamp::max();
  EXPECT_THAT(ToItem(booking), StatusIs(kValidation, Says("booking", "updatedAt", "time")));
}

struct Invoice {
  std::string id = {};

  friend bool operator==(const Invoice&, const Invoice&) = default;
};
constexpr auto DescribeEntity(const Invoice*) {
  return DefineEntity<Invoice>("invoice", {Attribute<&Invoice::id>("id")},
                               {PrimaryKey("INVOICE#{id}", "INVOICE")}, "kind");
}

TEST(ItemTest, TheTypeMayBeInAnotherAttribute) {
  const Item item = {{"PK", "INVOICE#1"}, {"SK", "INVOICE"}, {"kind", "invoice"}, {"id", "1"}};
  EXPECT_THAT(ToItem(Invoice{.id = "1"}), IsOkAndHolds(item));
  EXPECT_THAT(Read<Invoice>(item), IsOkAndHolds(Invoice{.id = "1"}));
  EXPECT_THAT(Read<Invoice>(With(Without(item, "kind"), "SK", "INVOICES")),
              StatusIs(kCorruption, Says("invoice", "kind", "not a key of this entity")));
}

TEST(BadItemTest, AWrongTypeIsCorruption) {
  for (const char* name : {"hotelId", "arrival", "bookingId", "guestId", "state", "dueAt", "label",
                           "createdAt", "updatedAt", "version"}) {
    EXPECT_THAT(Read<Booking>(With(BookingItem(), name, Map{})),
                StatusIs(kCorruption,
                         Says("booking", std::string("attribute ") + name, "has type M, not ")));
  }
}

TEST(BadItemTest, AnUnknownEnumValueIsCorruption) {
  EXPECT_THAT(Read<Booking>(With(BookingItem(), "state", "cancelled")),
              StatusIs(kCorruption,
                       Says("booking", "attribute state", "has the unknown value \"cancelled\"")));
}

TEST(BadItemTest, AnItemOfAnotherEntityIsCorruption) {
  EXPECT_THAT(Read<Booking>(With(BookingItem(), "entityType", "invoice")),
              StatusIs(kCorruption,
                       "booking \"HOTEL#h1\" \"BOOKING#2026-05-01#b1\": the item "
                       "belongs to another entity, invoice"));
  EXPECT_THAT(Read<Room>(BookingItem()), StatusIs(kCorruption, Says("room", "booking")));
  EXPECT_THAT(Read<Booking>(With(BookingItem(), "entityType", 7)),
              StatusIs(kCorruption, Says("booking", "another entity, 7")));
}

TEST(BadItemTest, AKeyOfAnotherFormIsCorruption) {
  const Item room = Value(ToItem(TheRoom()));
  for (const char* wrong : {"ROOM", "room#0101", "SUITE#0101", ""}) {
    EXPECT_THAT(Read<Room>(With(room, "SK", wrong)), StatusIs(kCorruption, Says("room", "SK")))
        << wrong;
  }
  for (const char* wrong : {"ROOM#", "ROOM#1st", "ROOM#101 ", "ROOM#99999999999"}) {
    EXPECT_THAT(Read<Room>(With(room, "SK", wrong)), StatusIs(kCorruption, Says("room", "number")))
        << wrong;
  }
  EXPECT_THAT(Read<Room>(With(room, "PK", "HOTEL#")),
              StatusIs(kCorruption, Says("room", "hotelId")));
  EXPECT_THAT(Read<Room>(Without(room, "SK")), StatusIs(kCorruption, Says("room", "SK")));
  EXPECT_THAT(Read<Room>(With(room, "PK", 1)), StatusIs(kCorruption, Says("room", "PK")));
}

TEST(BadItemTest, OtherAttributesAreIgnored) {
  EXPECT_THAT(Read<Booking>(With(BookingItem(), "comment", "late arrival")),
              IsOkAndHolds(WholeBooking()));
}

using StoredItemTest = EntityTest;

// If another program has stored a malformed item, every read returns an error, not a part of an
// entity.
TEST_F(StoredItemTest, AMalformedItemIsAnErrorOfEveryRead) {
  Store(With(BookingItem(), "guestId", 7));
  const Booking key = WholeBooking();
  const auto is_refused = StatusIs(kCorruption, Says("booking", "guestId", "has type N"));
  EXPECT_THAT(table().Get(key), is_refused);
  EXPECT_THAT(table().Find(key), is_refused);
  EXPECT_THAT(table().BatchGet(std::vector{key}), is_refused);
  EXPECT_THAT(table().TransactGet(key), is_refused);
  const auto query = table().Query<Booking>().With<&Booking::hotel_id>("h1");
  EXPECT_THAT(query.All(), is_refused);
  EXPECT_THAT(query.First(), is_refused);
  EXPECT_THAT((table().Query<Hotel, Booking>().With<&Hotel::id>("h1").All()), is_refused);
}

TEST_F(StoredItemTest, AnItemOfAnotherEntityIsAnErrorOfEveryRequest) {
  const Item other = {{"PK", "HOTEL#h1"}, {"SK", "ROOM#0101"}, {"entityType", "suite"}};
  Store(other);
  const auto is_refused = StatusIs(kCorruption, Says("room", "suite"));
  EXPECT_THAT(table().Get(TheRoom()), is_refused);
  EXPECT_THAT(table().Create(TheRoom()), is_refused);
  EXPECT_THAT(table().Put(TheRoom()), is_refused);
  EXPECT_THAT(table().Update(TheRoom(), Changes<Room>().Set<&Room::note>("loud")), is_refused);
  EXPECT_THAT(
      table().Update(
          TheRoom(),
          Changes<Room>().Set<&Room::kind>(RoomKind::kSuite).Set<&Room::price>(1).OrCreate()),
      is_refused);
  EXPECT_THAT(table().Remove(TheRoom()), is_refused);
  EXPECT_THAT(table().Transact().Require(TheRoom()).Commit(), is_refused);
  EXPECT_EQ(Stored(Key("HOTEL#h1", "ROOM#0101")), other) << "no request may write";
}

// Another program wrote the item. Its key says that it is a room.
TEST_F(StoredItemTest, AnItemWithoutATypeBelongsToTheEntityOfItsKey) {
  Item other = Value(ToItem(TheRoom()));
  other.erase("entityType");
  const auto store = [&] { Store(other); };
  store();
  EXPECT_THAT(table().Get(TheRoom()), IsOkAndHolds(TheRoom()));
  EXPECT_THAT(table().Create(TheRoom()), StatusIs(kInUse, HasSubstr("room")));
  EXPECT_THAT(table().Update(TheRoom(), Changes<Room>().Set<&Room::note>("quiet")),
              IsOkAndHolds(TheRoom()));
  EXPECT_THAT(table().Transact().Require(TheRoom()).Commit(), IsOk());
  EXPECT_THAT(table().Remove(TheRoom()), IsOk());
  EXPECT_THAT(table().Remove(TheRoom()), StatusIs(kNotFound, HasSubstr("room")));
  store();
  EXPECT_THAT(table().Put(TheRoom()), IsOk());
  EXPECT_EQ(Stored(Key("HOTEL#h1", "ROOM#0101")), Value(ToItem(TheRoom())));
}

}  // namespace
}  // namespace dolmen::hotel
