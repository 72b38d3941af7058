// The entities that tests of the entity layer share: hotels with their rooms, bookings and
// payments, and a counter of visits that expires. One partition of the table holds a hotel and all
// that belongs to it.

#pragma once

#include <dolmen/entity.h>

#include <array>
#include <cstdint>
#include <optional>
#include <ostream>
#include <string>
#include <vector>

#include "tests/support/items.h"

namespace dolmen::hotel {

struct Address {
  std::string street = {};
  std::string city = {};
  std::optional<std::string> zip = {};

  friend bool operator==(const Address&, const Address&) = default;
};
constexpr auto DescribeAttributes(const Address*) {
  return DefineAttributes<Address>({Attribute<&Address::street>("street"),
                                    Attribute<&Address::city>("city"),
                                    Attribute<&Address::zip>("zip")});
}

struct Hotel {
  std::string id = {};
  std::string name = {};
  std::optional<Address> address = {};

  friend bool operator==(const Hotel&, const Hotel&) = default;
};
constexpr auto DescribeEntity(const Hotel*) {
  return DefineEntity<Hotel>("hotel",
                             {Attribute<&Hotel::id>("hotelId"), Attribute<&Hotel::name>("name"),
                              Attribute<&Hotel::address>("address")},
                             {PrimaryKey("HOTEL#{hotelId}", "HOTEL")});
}

enum class RoomKind : std::uint8_t { kSingle, kDouble, kSuite };
constexpr auto Spellings(RoomKind) {
  return std::to_array<Spelling<RoomKind>>(
      {{RoomKind::kSingle, "single"}, {RoomKind::kDouble, "double"}, {RoomKind::kSuite, "suite"}});
}

// A room. Its number is stored only in its key. GSI1 orders the rooms of all hotels by kind and
// price.
struct Room {
  std::string hotel_id = {};
  int number = 0;
  RoomKind kind = RoomKind::kSingle;
  std::int64_t price = 0;
  std::optional<std::string> note = {};
  StringSet features = {};

  friend bool operator==(const Room&, const Room&) = default;
};
constexpr auto DescribeEntity(const Room*) {
  return DefineEntity<Room>(
      "room",
      {Attribute<&Room::hotel_id>("hotelId").InKeyOnly(),
       Attribute<&Room::number>("number").InKeyOnly(), Attribute<&Room::kind>("kind"),
       Attribute<&Room::price>("price"), Attribute<&Room::note>("note"),
       Attribute<&Room::features>("features")},
      {PrimaryKey("HOTEL#{hotelId}", "ROOM#{number:04}"),
       IndexKey("GSI1", "KIND#{kind}", "PRICE#{price:06}")});
}

enum class BookingState : std::uint8_t { kOpen, kPaid };
constexpr auto Spellings(BookingState) {
  return std::to_array<Spelling<BookingState>>(
      {{BookingState::kOpen, "open"}, {BookingState::kPaid, "paid"}});
}

// A booking. GSI1 orders the bookings of a guest by arrival. GSI2 has only the bookings with a
// due date.
struct Booking {
  std::string hotel_id = {};
  Timestamp arrival = {};
  std::string id = {};
  std::string guest_id = {};
  BookingState state = BookingState::kOpen;
  std::optional<Timestamp> due_at = {};
  std::string label = {};
  Timestamp created_at = {};
  Timestamp updated_at = {};
  std::int64_t version = 0;

  friend bool operator==(const Booking&, const Booking&) = default;
};
inline std::string LabelOf(const Booking& booking) {
  return booking.guest_id + " at " + booking.hotel_id;
}
constexpr auto DescribeEntity(const Booking*) {
  return DefineEntity<Booking>(
      "booking",
      {Attribute<&Booking::hotel_id>("hotelId"), Attribute<&Booking::arrival>("arrival"),
       Attribute<&Booking::id>("bookingId").IfUnset<NewUlid>(),
       Attribute<&Booking::guest_id>("guestId"), Attribute<&Booking::state>("state"),
       Attribute<&Booking::due_at>("dueAt"), Attribute<&Booking::label>("label").Derived<LabelOf>(),
       Attribute<&Booking::created_at>("createdAt").IfUnset<Now>().ReadOnly(),
       Attribute<&Booking::updated_at>("updatedAt").Always<Now>(),
       Attribute<&Booking::version>("version").Version()},
      {PrimaryKey("HOTEL#{hotelId}", "BOOKING#{arrival:date}#{bookingId}"),
       IndexKey("GSI1", "GUEST#{guestId}", "ARRIVAL#{arrival}"),
       IndexKey("GSI2", "STATE#{state}", "DUE#{dueAt}")});
}

// A payment. In the table it sorts directly after its booking.
struct Payment {
  std::string hotel_id = {};
  Timestamp arrival = {};
  std::string booking_id = {};
  int number = 0;
  Number amount = {};

  friend bool operator==(const Payment&, const Payment&) = default;
};
constexpr auto DescribeEntity(const Payment*) {
  return DefineEntity<Payment>(
      "payment",
      {Attribute<&Payment::hotel_id>("hotelId"), Attribute<&Payment::arrival>("arrival"),
       Attribute<&Payment::booking_id>("bookingId"), Attribute<&Payment::number>("number"),
       Attribute<&Payment::amount>("amount")},
      {PrimaryKey("HOTEL#{hotelId}", "BOOKING#{arrival:date}#{bookingId}#PAYMENT#{number:02}")});
}

// The number of visits to a page. The entity expires some time after the last visit.
struct Visits {
  std::string page = {};
  std::int64_t count = 0;
  StringSet visitors = {};
  Timestamp first_at = {};
  std::optional<Timestamp> expires_at = {};

  friend bool operator==(const Visits&, const Visits&) = default;
};
constexpr auto DescribeEntity(const Visits*) {
  return DefineEntity<Visits>(
      "visits",
      {Attribute<&Visits::page>("page").InKeyOnly(), Attribute<&Visits::count>("count"),
       Attribute<&Visits::visitors>("visitors"),
       Attribute<&Visits::first_at>("firstAt").IfUnset<Now>(),
       Attribute<&Visits::expires_at>("expiresAt").AsEpochSeconds()},
      {PrimaryKey("VISITS#{page:any}", "VISITS")});
}

static_assert(CheckTable<Hotel, Room, Booking, Payment, Visits>());

// Returns the entity that is read from `item`.
template <EntityStruct T>
Result<T> Read(const Item& item) {
  const StoredItem stored = test::StoreItem(item);
  return FromItem<T>(stored.view());
}

// Prints the item of an entity in the failure message of a test.
template <EntityStruct T>
void PrintTo(const T& value, std::ostream* out) {
  const Result<Item> item = ToItem(value);
  if (item.ok()) {
    dolmen::PrintTo(AttributeValue(*item), out);
  } else {
    *out << item.status().ToString();
  }
}

}  // namespace dolmen::hotel
