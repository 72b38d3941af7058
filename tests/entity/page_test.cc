// Tests of the pages of a query, and of the cursors that lead from page to page.

#include <dolmen/entity.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "tests/entity/fixture.h"

namespace dolmen::hotel {
namespace {

using testing::SizeIs;

class PageTest : public EntityTest {
 protected:
  static constexpr int kRooms = 13;

  PageTest() {
    for (int i = 1; i <= kRooms; ++i) {
      rooms_.push_back({.hotel_id = "h1", .number = i, .kind = RoomKind::kSuite, .price = 100 + i});
    }
    EXPECT_THAT(table().BatchPut(rooms_), IsOk());
  }

  EntityQuery<Room> InHotel() const { return table().Query<Room>().With<&Room::hotel_id>("h1"); }
  EntityQuery<Room> Suites() const {
    return table().Query<Room>("GSI1").With<&Room::kind>(RoomKind::kSuite);
  }

  // Reads all pages of at most `limit` rooms. Only the cursor connects the pages, as in a web
  // application.
  static std::vector<Room> Walk(EntityQuery<Room> query, std::uint32_t limit) {
    std::vector<Room> found;
    std::string cursor;
    for (int pages = 0; pages <= kRooms; ++pages) {
      const EntityPage<Room> page = Value(query.Limit(limit).From(cursor).Page());
      EXPECT_LE(page.items.size(), limit);
      found.insert(found.end(), page.items.begin(), page.items.end());
      cursor = page.next_cursor;
      if (cursor.empty()) return found;
    }
    ADD_FAILURE() << "the pages do not end";
    return found;
  }

  std::vector<Room> rooms_;
};

TEST_F(PageTest, ALoopReadsPageAfterPage) {
  std::vector<Room> found;
  std::vector<std::size_t> sizes;
  auto pages = InHotel().Limit(5).Pages();
  for (const EntityPage<Room>& page : pages) {
    sizes.push_back(page.items.size());
    found.insert(found.end(), page.items.begin(), page.items.end());
  }
  EXPECT_THAT(pages.status(), IsOk());
  EXPECT_EQ(found, rooms_);
  EXPECT_THAT(sizes, ElementsAre(5, 5, 3));

  std::size_t scanned = 0;
  auto scan = table().Scan<Room>().Limit(4).Pages();
  for (const EntityPage<Room>& page : scan) scanned += page.items.size();
  EXPECT_THAT(scan.status(), IsOk());
  EXPECT_EQ(scanned, rooms_.size());
}

TEST_F(PageTest, ALoopEndsWithTheErrorOfItsPage) {
  auto pages = table().Query<Room>().Pages();
  for (const EntityPage<Room>& page : pages) ADD_FAILURE() << page.items.size();
  EXPECT_THAT(pages.status(), StatusIs(kValidation, Says("room", "hotelId")));
}

TEST_F(PageTest, ForEachPassesTheEntitiesOfAllPages) {
  std::vector<Room> found;
  const auto add = [&](const Room& room) {
    found.push_back(room);
    return Status();
  };
  EXPECT_THAT(InHotel().Limit(5).ForEach(add), IsOk());
  EXPECT_EQ(found, rooms_);
  EXPECT_THAT(table().Scan<Room>().Limit(5).ForEach(add), IsOk());
  EXPECT_THAT(found, SizeIs(2 * kRooms));
}

TEST_F(PageTest, ForEachEndsWithTheFirstError) {
  int calls = 0;
  const auto fail = [&](const Room&) { return ++calls < 7 ? Status() : Status::Storage("full"); };
  EXPECT_THAT(InHotel().Limit(5).ForEach(fail), StatusIs(StatusCode::kStorage, "full"));
  EXPECT_EQ(calls, 7);

  Store({{"PK", "HOTEL#h1"}, {"SK", "ROOM#0001"}, {"entityType", "room"}, {"price", "cheap"}});
  const auto ignore = [](const Room&) { return Status(); };
  EXPECT_THAT(InHotel().ForEach(ignore), StatusIs(kCorruption, HasSubstr("price")));
  EXPECT_THAT(table().Query<Room>().ForEach(ignore),
              StatusIs(kValidation, Says("room", "hotelId")));
}

TEST_F(PageTest, AnInputSaysWhichPage) {
  const EntityPage<Room> first = Value(InHotel().Page({.limit = 9}));
  EXPECT_EQ(first.items, std::vector(rooms_.begin(), rooms_.begin() + 9));
  const EntityPage<Room> second = Value(InHotel().Page({.cursor = first.next_cursor, .limit = 9}));
  EXPECT_EQ(second.items, std::vector(rooms_.begin() + 9, rooms_.end()));
  EXPECT_EQ(second.next_cursor, "");
}

TEST_F(PageTest, PagesOfAnySizeAndOrderHoldEachItemOnce) {
  std::vector<Room> backward = rooms_;
  std::ranges::reverse(backward);
  for (std::uint32_t limit = 1; limit <= kRooms + 1; ++limit) {
    EXPECT_EQ(Walk(InHotel(), limit), rooms_) << limit;
    EXPECT_EQ(Walk(InHotel().Backward(), limit), backward) << limit;
    EXPECT_EQ(Walk(Suites(), limit), rooms_) << limit;
    EXPECT_EQ(Walk(Suites().Between<&Room::price>(103, 110).Backward(), limit),
              std::vector<Room>(backward.begin() + 3, backward.begin() + 11))
        << limit;
  }
}

TEST_F(PageTest, APageWithoutALimitHoldsAllItems) {
  const EntityPage<Room> page = Value(InHotel().Page());
  EXPECT_EQ(page.items, rooms_);
  EXPECT_EQ(page.next_cursor, "");
}

TEST_F(PageTest, AFullPageHasACursorOnlyIfAnItemFollows) {
  EXPECT_NE(Value(InHotel().Limit(kRooms - 1).Page()).next_cursor, "");
  for (EntityQuery<Room> query : {InHotel(), InHotel().Backward(), Suites()}) {
    const EntityPage<Room> page = Value(query.Limit(kRooms).Page());
    EXPECT_THAT(page.items, SizeIs(kRooms));
    EXPECT_EQ(page.next_cursor, "");
  }
  const EntityPage<Room> scanned = Value(table().Scan<Room>().Limit(kRooms).Page());
  EXPECT_THAT(scanned.items, SizeIs(kRooms));
  EXPECT_EQ(scanned.next_cursor, "");
}

TEST_F(PageTest, AFilteredPageMayHoldFewerItemsThanItsLimit) {
  const auto none = AttrOf<&Room::price>() < 0;
  const EntityPage<Room> page = Value(InHotel().Where(none).Limit(5).Page());
  EXPECT_THAT(page.items, IsEmpty());
  EXPECT_NE(page.next_cursor, "") << "the page ended at its limit";
  EXPECT_EQ(Walk(InHotel().Where(AttrOf<&Room::price>() == 112), 5), std::vector<Room>{rooms_[11]});
}

TEST_F(PageTest, AllResumesAtACursor) {
  const EntityPage<Room> page = Value(InHotel().Limit(10).Page());
  EXPECT_THAT(InHotel().From(page.next_cursor).All(),
              IsOkAndHolds(std::vector<Room>(rooms_.begin() + 10, rooms_.end())));
}

TEST_F(PageTest, ACursorResumesAfterARemovedItem) {
  const EntityPage<Room> page = Value(InHotel().Limit(5).Page());
  ASSERT_THAT(table().Remove(page.items.back()), IsOk());
  EXPECT_EQ(Value(InHotel().Limit(1).From(page.next_cursor).Page()).items.front(), rooms_[5]);
}

TEST_F(PageTest, ALimitOfZeroIsRejected) {
  EXPECT_THAT(InHotel().Limit(0).Page(), StatusIs(kValidation, testing::_));
}

using CursorTest = PageTest;

TEST_F(CursorTest, CursorsHoldOnlyUrlSafeCharacters) {
  const auto is_plain = [](const std::string& cursor) {
    return std::ranges::all_of(cursor, [](unsigned char c) {
      return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
    });
  };
  EXPECT_TRUE(is_plain(Value(InHotel().Limit(1).Page()).next_cursor));
  EXPECT_TRUE(is_plain(Value(Suites().Limit(1).Page()).next_cursor));

  const std::string odd = "/?&=%\n \xc3\xa9\xf0\x9f\x98\x80\"";
  for (const char* id : {"1", "2"}) {
    Booking booking = NewBooking(id);
    booking.hotel_id = odd;
    Value(table().Create(booking));
  }
  auto bookings = table().Query<Booking>().With<&Booking::hotel_id>(odd).Limit(1);
  const auto page = Value(bookings.Page());
  EXPECT_TRUE(is_plain(page.next_cursor)) << page.next_cursor;
  EXPECT_EQ(Value(bookings.From(page.next_cursor).Page()).items.front().id, "2");
}

TEST_F(CursorTest, ACursorOfAnotherQueryIsRejected) {
  const std::string of_hotel = Value(InHotel().Limit(1).Page()).next_cursor;
  const std::string of_suites = Value(Suites().Limit(1).Page()).next_cursor;
  const auto is_refused = StatusIs(kValidation, testing::_);
  EXPECT_THAT(table().Query<Room>().With<&Room::hotel_id>("h2").From(of_hotel).Page(), is_refused)
      << "a different partition";
  EXPECT_THAT(Suites().From(of_hotel).Page(), is_refused) << "a different index";
  EXPECT_THAT(InHotel().From(of_suites).Page(), is_refused);
  EXPECT_THAT(
      table().Query<Room>("GSI1").With<&Room::kind>(RoomKind::kSingle).From(of_suites).Page(),
      is_refused);
  EXPECT_THAT(Suites().AtLeast<&Room::price>(105).From(of_suites).Page(), is_refused)
      << "a different range";
}

TEST_F(CursorTest, AMalformedCursorIsRejected) {
  const std::string good = Value(InHotel().Limit(1).Page()).next_cursor;
  std::vector<std::string> bad = {
      "x",         "0",        "00",        "ffff", "not a cursor",        "%00",
      good + good, good + "0", good + "00", "\xff", std::string(5000, '0')};
  for (std::size_t size = 1; size < good.size(); ++size) bad.push_back(good.substr(0, size));
  for (const std::string& cursor : bad) {
    EXPECT_THAT(InHotel().From(cursor).Page(), StatusIs(kValidation, testing::_)) << cursor;
    EXPECT_THAT(InHotel().From(cursor).All(), StatusIs(kValidation, testing::_)) << cursor;
  }
  EXPECT_THAT(InHotel().From("").Page(), IsOk()) << "an empty cursor is the start";
}

}  // namespace
}  // namespace dolmen::hotel
