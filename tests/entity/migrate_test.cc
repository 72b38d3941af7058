// Tests of Migrate and Reindex, which rewrite all items of an entity.

#include "dolmen/entity/migrate.h"

#include <dolmen/entity.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "tests/entity/fixture.h"

namespace dolmen::hotel {
namespace {

constexpr int kRooms = 250;

class MigrateTest : public EntityTest {
 protected:
  // Stores rooms without the key of GSI1 and with an attribute that the entity does not know.
  MigrateTest() {
    for (int i = 1; i <= kRooms; ++i) {
      Item item = OldItem(i);
      Store(item);
    }
    Value(table().Create(Hotel{.id = "h1", .name = "Rheinblick"}));
  }

  static Room RoomOf(int number) {
    return {.hotel_id = "h" + std::to_string(number % 7), .number = number, .price = number};
  }
  static Item OldItem(int number) {
    Item item = Value(ToItem(RoomOf(number)));
    item.erase("GSI1PK");
    item.erase("GSI1SK");
    item.insert_or_assign("floor", 3);
    return item;
  }
  Item StoredRoom(int number) const {
    const Item item = Value(ToItem(RoomOf(number)));
    return Stored({{"PK", item.at("PK")}, {"SK", item.at("SK")}});
  }
  std::size_t IndexedRooms() const { return Value(table().Scan<Room>("GSI1").All()).size(); }

  static MigrateOptions WithoutSleep() { return {.share = 1}; }
};

TEST_F(MigrateTest, ReindexAddsTheKeysThatItemsLack) {
  EXPECT_EQ(IndexedRooms(), 0U);
  const MigrationProgress progress = Value(table().Reindex<Room>(WithoutSleep()));
  EXPECT_EQ(progress.items_read, kRooms);
  EXPECT_EQ(progress.items_written, kRooms);
  EXPECT_EQ(progress.items_failed, 0U);
  EXPECT_EQ(progress.cursor, "");
  EXPECT_EQ(IndexedRooms(), kRooms);
  Item expected = Value(ToItem(RoomOf(7)));
  expected.insert_or_assign("floor", 3);
  EXPECT_EQ(StoredRoom(7), expected) << "unknown attributes stay";
  EXPECT_EQ(Value(table().Reindex<Room>(WithoutSleep())).items_written, 0U)
      << "a second walk writes nothing";
}

TEST_F(MigrateTest, MigrateChangesEachEntity) {
  const auto cents = [](Room& room) {
    if (room.price <= kRooms) room.price *= 1000;
  };
  EXPECT_EQ(Value(table().Migrate<Room>(cents, WithoutSleep())).items_written, kRooms);
  Room expected = RoomOf(9);
  expected.price = 9000;
  EXPECT_THAT(table().Get(expected), IsOkAndHolds(expected));
  EXPECT_EQ(StoredRoom(9).at("GSI1SK"), AttributeValue("PRICE#009000"));
  EXPECT_EQ(Value(table().Migrate<Room>(cents, WithoutSleep())).items_written, 0U);
}

TEST_F(MigrateTest, MigrateIncreasesTheVersion) {
  const Booking booking = Value(table().Create(NewBooking("b1")));
  const auto rename = [](Booking& found) { found.guest_id = "g9"; };
  EXPECT_EQ(Value(table().Migrate<Booking>(rename, WithoutSleep())).items_written, 1U);
  EXPECT_EQ(Value(table().Get(booking)).version, 2);
  EXPECT_THAT(table().Put(booking), StatusIs(kConflict, testing::_));
  EXPECT_EQ(Value(table().Reindex<Booking>(WithoutSleep())).items_written, 0U);
}

// The callback stops the migration after each page, as a crash would.
TEST_F(MigrateTest, AMigrationResumesAtItsCursor) {
  std::string cursor;
  std::uint64_t written = 0;
  int walks = 0;
  for (bool done = false; !done; ++walks) {
    const auto stop = [&](const MigrationProgress& progress) {
      cursor = progress.cursor;
      written += progress.items_written;
      return cursor.empty() ? Status() : Status::Validation("stop");
    };
    const auto migrated = table().Reindex<Room>({.from = cursor, .share = 1, .on_progress = stop});
    done = migrated.ok();
    EXPECT_THAT(migrated.status(),
                done ? testing::Matcher<const Status&>(IsOk())
                     : testing::Matcher<const Status&>(StatusIs(kValidation, "stop")));
  }
  EXPECT_EQ(walks, 3) << "a page has 100 items";
  EXPECT_EQ(written, kRooms);
  EXPECT_EQ(IndexedRooms(), kRooms);
  EXPECT_THAT(table().Reindex<Room>({.from = "xyz"}), StatusIs(kValidation, HasSubstr("cursor")));
}

TEST_F(MigrateTest, ItemsThatCannotBeRewrittenAreReportedAndStay) {
  Item damaged = OldItem(5);
  damaged.insert_or_assign("price", "cheap");
  Store(damaged);
  const auto move = [](Room& room) {
    if (room.number == 6) room.number = 900;
  };
  const MigrationProgress progress = Value(table().Migrate<Room>(move, WithoutSleep()));
  EXPECT_EQ(progress.items_written, kRooms - 2U);
  EXPECT_EQ(progress.items_failed, 2U);
  EXPECT_THAT(progress.failures, testing::UnorderedElementsAre(
                                     StatusIs(kCorruption, Says("room", "price", "has type S")),
                                     StatusIs(kValidation, Says("room", "0006", "primary key"))));
  EXPECT_EQ(StoredRoom(5), damaged);
  EXPECT_EQ(StoredRoom(6), OldItem(6));
}

}  // namespace
}  // namespace dolmen::hotel
