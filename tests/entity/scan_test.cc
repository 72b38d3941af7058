// Tests of scans, and of indexes that Open adds to an existing table.

#include "dolmen/entity/scan.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstddef>
#include <set>
#include <string>
#include <variant>
#include <vector>

#include "tests/entity/fixture.h"

namespace dolmen::hotel {
namespace {

using testing::SizeIs;

class ScanTest : public EntityTest {
 protected:
  ScanTest() {
    for (int i = 0; i < 6; ++i) {
      const std::string id = "h" + std::to_string(i);
      Value(table().Create(Hotel{.id = id, .name = "Rheinblick"}));
      Room room = TheRoom();
      room.hotel_id = id;
      room.price = i;
      rooms_.insert(id);
      Value(table().Create(room));
    }
    log_.Take();
  }

  static std::set<std::string> HotelsOf(const std::vector<Room>& rooms) {
    std::set<std::string> ids;
    for (const Room& room : rooms) ids.insert(room.hotel_id);
    return ids;
  }

  std::set<std::string> rooms_;
};

TEST_F(ScanTest, FindsTheEntitiesOfAllPartitions) {
  EXPECT_EQ(HotelsOf(Value(table().Scan<Room>().All())), rooms_);
  EXPECT_THAT(Operations(), ElementsAre("Scan"));
  EXPECT_THAT((table().Scan<Hotel, Room>().All()), IsOkAndHolds(SizeIs(12)));
  EXPECT_THAT(table().Scan<Room>().Where(AttrOf<&Room::price>() < 2).All(),
              IsOkAndHolds(SizeIs(2)));
  EXPECT_THAT(table().Scan<Room>().Limit(2).All(), IsOkAndHolds(SizeIs(2)));
  EXPECT_THAT(table().Scan<Room>().Strict().All(), StatusIs(kCorruption, Says("room", "hotel")));
}

TEST_F(ScanTest, PagesCoverTheTable) {
  std::vector<Room> rooms;
  std::string cursor;
  std::size_t skipped = 0;
  do {
    const auto page = Value(table().Scan<Room>().Limit(5).From(cursor).Page());
    rooms.insert(rooms.end(), page.items.begin(), page.items.end());
    skipped += page.skipped;
    cursor = page.next_cursor;
  } while (!cursor.empty());
  EXPECT_EQ(HotelsOf(rooms), rooms_);
  EXPECT_EQ(skipped, 6U);
}

TEST_F(ScanTest, SegmentsShareTheTable) {
  std::vector<Room> rooms;
  for (std::uint32_t segment = 0; segment < 3; ++segment) {
    const auto part = Value(table().Scan<Room>().Segment(segment, 3).All());
    rooms.insert(rooms.end(), part.begin(), part.end());
  }
  EXPECT_THAT(rooms, SizeIs(6));
  EXPECT_EQ(HotelsOf(rooms), rooms_);
  EXPECT_THAT(table().Scan<Room>().Segment(3, 3).All(), StatusIs(kValidation, testing::_));
}

TEST_F(ScanTest, ReadsAnIndex) {
  EXPECT_THAT(table().Scan<Room>("GSI1").All(), IsOkAndHolds(SizeIs(6)));
  const auto page = Value(table().Scan<Room>("GSI1").Limit(2).Page());
  EXPECT_THAT(table().Scan<Room>("GSI1").From(page.next_cursor).All(), IsOkAndHolds(SizeIs(4)));
  EXPECT_THAT(table().Scan<Room>("GSI2").All(), StatusIs(kValidation, Says("room", "GSI2")));
  EXPECT_THAT(table().Scan<Room>().From("xyz").All(), StatusIs(kValidation, HasSubstr("cursor")));
}

TEST_F(ScanTest, OpenAddsMissingIndexes) {
  EntityTableInput input = {.name = "hotels", .indexes = {"GSI1", "GSI2", "GSI3", "GSI4"}};
  EXPECT_THAT(EntityTable::Open(database_, input),
              StatusIs(kValidation, Says("hotels", "GSI3", "add_missing_indexes")));
  input.add_missing_indexes = true;
  const EntityTable opened = Value(EntityTable::Open(database_, input));
  EXPECT_THAT(opened.table().Scan({.index = "GSI4"}), IsOk()) << "its backfill has ended";
  EXPECT_THAT(EntityTable::Open(database_, input), IsOk());
  EXPECT_EQ(Value(database_.DescribeTable("hotels")).global_secondary_indexes.size(), 4U);
}

}  // namespace
}  // namespace dolmen::hotel
