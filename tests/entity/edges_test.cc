// Tests of edges: entities whose writes also write the other direction.

#include <dolmen/entity.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <optional>
#include <string>
#include <vector>

#include "tests/entity/fixture.h"

namespace dolmen::hotel {
namespace {

// A guest's stay, in the partition of the guest.
struct GuestStay {
  std::string guest = {};
  std::string hotel = {};
  int nights = 0;
  std::optional<std::string> wish = {};
  Timestamp booked_at = {};

  friend bool operator==(const GuestStay&, const GuestStay&) = default;
};
// The inverse of a GuestStay, in the partition of the hotel. It also has the room.
struct HotelStay {
  std::string hotel = {};
  std::string guest = {};
  int nights = 0;
  std::optional<std::string> wish = {};
  Timestamp booked_at = {};
  int room = 0;

  friend bool operator==(const HotelStay&, const HotelStay&) = default;
};
constexpr auto DescribeEntity(const HotelStay*) {
  return DefineEntity<HotelStay>(
      "hotelStay",
      {Attribute<&HotelStay::hotel>("hotel").InKeyOnly(),
       Attribute<&HotelStay::guest>("guest").InKeyOnly(), Attribute<&HotelStay::nights>("nights"),
       Attribute<&HotelStay::wish>("wish"),
       Attribute<&HotelStay::booked_at>("bookedAt").IfUnset<Now>().ReadOnly(),
       Attribute<&HotelStay::room>("room")},
      {PrimaryKey("HOTEL#{hotel}", "STAY#{guest}")});
}
constexpr auto DescribeEntity(const GuestStay*) {
  return DefineEntity<GuestStay>(
             "guestStay",
             {Attribute<&GuestStay::guest>("guest"), Attribute<&GuestStay::hotel>("hotel"),
              Attribute<&GuestStay::nights>("nights"), Attribute<&GuestStay::wish>("wish"),
              Attribute<&GuestStay::booked_at>("bookedAt").IfUnset<Now>().ReadOnly()},
             {PrimaryKey("GUEST#{guest}", "STAY#{hotel}")})
      .Edge<HotelStay>();
}

// A friendship, which has an item for each of the two guests.
struct Friend {
  std::string guest = {};
  std::string other = {};
  int since = 0;

  friend bool operator==(const Friend&, const Friend&) = default;
};
constexpr auto DescribeEntity(const Friend*) {
  return DefineEntity<Friend>(
             "friend",
             {Attribute<&Friend::guest>("guest"), Attribute<&Friend::other>("other"),
              Attribute<&Friend::since>("since")},
             {PrimaryKey("GUEST#{guest}", "FRIEND#{other}")})
      .Edge<Friend>({{{"guest", "other"}, {"other", "guest"}}});
}

class EdgesTest : public EntityTest {
 protected:
  std::optional<HotelStay> Inverse() {
    return Value(table().Find(HotelStay{.hotel = "h", .guest = "g"}));
  }
  std::size_t CountItems() { return Value(table().table().Scan({})).size(); }

  const GuestStay key_ = {.guest = "g", .hotel = "h"};
};

TEST_F(EdgesTest, BothDirectionsAreCreatedAndRemovedTogether) {
  const GuestStay stay =
      Value(table().Create(GuestStay{.guest = "g", .hotel = "h", .nights = 3, .wish = "sea"}));
  EXPECT_EQ(
      Inverse(),
      (HotelStay{
          .hotel = "h", .guest = "g", .nights = 3, .wish = "sea", .booked_at = stay.booked_at}));
  EXPECT_THAT(table().Create(key_), StatusIs(kInUse, Says("guestStay", "g")));
  EXPECT_THAT(table().Remove(key_, AttrOf<&GuestStay::nights>() > 5, "the stay is too short"),
              StatusIs(kConditionFailed, "the stay is too short"));
  EXPECT_EQ(CountItems(), 2u);
  EXPECT_THAT(table().Remove(key_), IsOk());
  EXPECT_EQ(CountItems(), 0u);
}

TEST_F(EdgesTest, AnUpdateChangesTheSharedAttributesOfBoth) {
  Value(table().Create(GuestStay{.guest = "g", .hotel = "h", .nights = 3, .wish = "sea"}));
  Value(table().Update(HotelStay{.hotel = "h", .guest = "g"}).Set<&HotelStay::room>(7).Commit());
  const GuestStay updated =
      Value(table().Update(key_).Add<&GuestStay::nights>(2).Remove<&GuestStay::wish>().Commit());
  EXPECT_EQ(updated.nights, 5);
  EXPECT_EQ(Inverse()->nights, 5);
  EXPECT_EQ(Inverse()->wish, std::nullopt);
  EXPECT_EQ(Inverse()->room, 7) << "the inverse keeps its own attributes";
}

TEST_F(EdgesTest, AnUpdateCannotCreateAnEdge) {
  EXPECT_THAT(
      table().Update(key_).Set<&GuestStay::nights>(3).OrCreate().Commit(),
      StatusIs(kValidation, "guestStay is an edge, so an update cannot create it: use Put"));
  EXPECT_EQ(CountItems(), 0u);
}

TEST_F(EdgesTest, APutReplacesTheSharedAttributesOfBoth) {
  const GuestStay stay = {.guest = "g",
                          .hotel = "h",
                          .nights = 3,
                          .wish = "sea",
                          .booked_at = Time("2026-01-01T00:00:00Z")};
  EXPECT_THAT(table().Put(stay), IsOk());
  EXPECT_EQ(Inverse()->booked_at, stay.booked_at);
  Value(table().Update(HotelStay{.hotel = "h", .guest = "g"}).Set<&HotelStay::room>(7).Commit());
  GuestStay moved = stay;
  moved.wish = std::nullopt;
  moved.booked_at += std::chrono::hours(1);
  EXPECT_THAT(table().Put(moved), IsOk());
  EXPECT_EQ(Inverse(),
            (HotelStay{
                .hotel = "h", .guest = "g", .nights = 3, .booked_at = moved.booked_at, .room = 7}));
}

TEST_F(EdgesTest, TransactionsAndBatchesWriteBoth) {
  EXPECT_THAT(table()
                  .Transact()
                  .Create(GuestStay{.guest = "a", .hotel = "h"})
                  .Create(GuestStay{.guest = "b", .hotel = "h"})
                  .Require(Hotel{.id = "none"})
                  .Commit(),
              StatusIs(kNotFound, Says("hotel", "none")));
  EXPECT_EQ(CountItems(), 0u);
  EXPECT_THAT(table().BatchPut(std::vector<GuestStay>{{.guest = "a", .hotel = "h"}, key_}), IsOk());
  EXPECT_EQ(CountItems(), 4u);
  EXPECT_THAT(table()
                  .Transact()
                  .Update(key_, Changes<GuestStay>().Set<&GuestStay::nights>(4))
                  .Remove(GuestStay{.guest = "a", .hotel = "h"})
                  .Commit(),
              IsOk());
  EXPECT_EQ(CountItems(), 2u);
  EXPECT_EQ(Inverse()->nights, 4);
  EXPECT_THAT(table().BatchRemove(std::vector<GuestStay>{key_}), IsOk());
  EXPECT_EQ(CountItems(), 0u);
}

TEST_F(EdgesTest, InversesCountTowardsTheWritesOfATransaction) {
  EntityTransaction transaction = table().Transact();
  for (int i = 0; i < 51; ++i) transaction.Put(GuestStay{.guest = std::to_string(i), .hotel = "h"});
  EXPECT_THAT(transaction.Commit(),
              StatusIs(kValidation,
                       AllOf(HasSubstr("needs 102 writes"), HasSubstr("51 of inverses of edges"))));
}

TEST_F(EdgesTest, AnEntityCanBeItsOwnInverse) {
  Value(table().Create(Friend{.guest = "a", .other = "b", .since = 2020}));
  const auto friends_of = [&](const std::string& guest) {
    return Value(table().Query<Friend>().With<&Friend::guest>(guest).All());
  };
  EXPECT_THAT(friends_of("b"), ElementsAre(Friend{.guest = "b", .other = "a", .since = 2020}));
  Value(table().Update(Friend{.guest = "b", .other = "a"}).Set<&Friend::since>(2021).Commit());
  EXPECT_THAT(friends_of("a"), ElementsAre(Friend{.guest = "a", .other = "b", .since = 2021}));
  EXPECT_EQ(Value(table().VerifyEdges<Friend>()).items_failed, 0u);
  EXPECT_THAT(table().Remove(Friend{.guest = "b", .other = "a"}), IsOk());
  EXPECT_EQ(CountItems(), 0u);
}

TEST_F(EdgesTest, LostDirectionsAreFoundAndMended) {
  for (const std::string guest : {"a", "b", "c", "d"}) {
    Value(table().Create(GuestStay{.guest = guest, .hotel = "h", .nights = 3}));
  }
  EXPECT_EQ(Value(table().VerifyEdges<GuestStay>()).items_failed, 0u);
  Value(table().table().DeleteItem({.key = {{"PK", "HOTEL#h"}, {"SK", "STAY#a"}}}));
  Value(table().table().DeleteItem({.key = {{"PK", "GUEST#b"}, {"SK", "STAY#h"}}}));
  Value(table().Update(HotelStay{.hotel = "h", .guest = "c"}).Set<&HotelStay::nights>(9).Commit());

  const MigrationProgress found = Value(table().VerifyEdges<GuestStay>());
  EXPECT_EQ(found.items_read, 6u);
  EXPECT_THAT(found.failures,
              testing::UnorderedElementsAre(
                  StatusIs(kCorruption, Says("guestStay", "\"a\"", "is missing: hotelStay")),
                  StatusIs(kCorruption, Says("hotelStay", "\"b\"", "is missing: guestStay")),
                  StatusIs(kCorruption, Says("guestStay", "\"c\"", "nights")),
                  StatusIs(kCorruption, Says("hotelStay", "\"c\"", "nights"))));

  const auto update =
      table().Update(GuestStay{.guest = "a", .hotel = "h"}).Set<&GuestStay::nights>(1);
  EXPECT_THAT(update.Commit(), StatusIs(kCorruption, Says("inverse", "missing", "hotelStay")));
  for (const std::string guest : {"a", "b", "c"}) {
    EXPECT_THAT(table().Put(GuestStay{.guest = guest, .hotel = "h", .nights = 1}), IsOk());
  }
  EXPECT_EQ(Value(table().VerifyEdges<GuestStay>()).items_failed, 0u);
}

TEST_F(EdgesTest, ALostInverseDoesNotKeepTheEdge) {
  Value(table().Create(key_));
  Value(table().table().DeleteItem({.key = {{"PK", "HOTEL#h"}, {"SK", "STAY#g"}}}));
  EXPECT_THAT(table().Remove(key_), IsOk());
  EXPECT_EQ(CountItems(), 0u);
}

}  // namespace
}  // namespace dolmen::hotel
