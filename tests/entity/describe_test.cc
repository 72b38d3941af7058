// Tests of Describe: the design of a table as Markdown and as a picture.

#include <dolmen/entity.h>
#include <dolmen/entity/describe.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "tests/entity/fixture.h"

namespace dolmen::hotel {
namespace {

using testing::Not;

TableDesign HotelDesign() {
  return Describe<Hotel, Room, Booking, Payment>(
      "hotels",
      {AccessPattern("A room", "GetRoom").With<&Room::hotel_id>().With<&Room::number>(),
       AccessPattern("The rooms of a hotel", "ListRooms").With<&Room::hotel_id>(),
       AccessPattern("The bookings of a day").With<&Booking::hotel_id>().With<&Booking::arrival>(),
       AccessPattern("Rooms of a kind, cheapest first")
           .With<&Room::kind>()
           .SortedBy<&Room::price>(),
       AccessPattern("Rooms with a note").With<&Room::note>()});
}

TEST(DescribeTest, TheKeyTableHasTheTemplatesAndTheAttributesBesideThem) {
  EXPECT_EQ(
      HotelDesign().KeyTable(),
      "| Entity | PK | SK | Attributes |\n"
      "|---|---|---|---|\n"
      "| hotel | `HOTEL#{hotelId}` | `HOTEL` | hotelId, name, address (optional) |\n"
      "| room | `HOTEL#{hotelId}` | `ROOM#{number:04}` | kind, price, note (optional), "
      "features (optional) |\n"
      "| booking | `HOTEL#{hotelId}` | `BOOKING#{arrival:date}#{bookingId}` | hotelId, "
      "arrival, bookingId, guestId, state, dueAt (optional), label, createdAt, updatedAt, "
      "version (the version) |\n"
      "| payment | `HOTEL#{hotelId}` | `BOOKING#{arrival:date}#{bookingId}#PAYMENT#{number:02}` "
      "| hotelId, arrival, bookingId, number, amount |\n");
}

TEST(DescribeTest, TheIndexTableHasTheKeysOfEachIndex) {
  EXPECT_EQ(HotelDesign().IndexTable(),
            "| Index | Entity | Partition key | Sort key |\n"
            "|---|---|---|---|\n"
            "| GSI1 | room | `KIND#{kind}` | `PRICE#{price:06}` |\n"
            "| GSI1 | booking | `GUEST#{guestId}` | `ARRIVAL#{arrival}` |\n"
            "| GSI2 | booking | `STATE#{state}` | `DUE#{dueAt}` |\n");
  EXPECT_EQ(Describe<Hotel>("hotels").IndexTable(), "");
}

TEST(DescribeTest, ThePatternTableHasTheRequestThatServesEachPattern) {
  EXPECT_EQ(
      HotelDesign().PatternTable(),
      "| Pattern | Method | Request |\n"
      "|---|---|---|\n"
      "| A room | `GetRoom` | GetItem `HOTEL#{hotelId}` / `ROOM#{number:04}` |\n"
      "| The rooms of a hotel | `ListRooms` | Query `HOTEL#{hotelId}`, begins_with `ROOM#` |\n"
      "| The bookings of a day | | Query `HOTEL#{hotelId}`, begins_with "
      "`BOOKING#{arrival:date}#` |\n"
      "| Rooms of a kind, cheapest first | | Query GSI1 `KIND#{kind}`, begins_with `PRICE#` |\n"
      "| Rooms with a note | | Rooms with a note: no key of room serves a query with note |\n");
  EXPECT_EQ(Describe<Hotel>("hotels").PatternTable(), "");
}

TEST(DescribeTest, MarkdownHasTheTablesThatExist) {
  const TableDesign design = HotelDesign();
  EXPECT_EQ(design.ToMarkdown(),
            design.KeyTable() + "\n" + design.IndexTable() + "\n" + design.PatternTable());
  const TableDesign small = Describe<Hotel>("hotels");
  EXPECT_EQ(small.ToMarkdown(), small.KeyTable());
}

struct PayCard {
  std::string number = {};
};
struct PayAccount {
  std::string id = {};
  std::string email = {};
  std::optional<PayCard> card = {};
};
constexpr auto DescribeEntity(const PayAccount*) {
  return DefineEntity<PayAccount>(
             "account",
             {Attribute<&PayAccount::id>("id"), Attribute<&PayAccount::email>("email"),
              Attribute<&PayAccount::card, &PayCard::number>("cardNumber")},
             {PrimaryKey("ACCOUNT#{id}").Named("key")})
      .Unique<&PayAccount::email>("emailClaim");
}

struct Follower {
  std::string of = {};
  std::string by = {};
};
struct Following {
  std::string by = {};
  std::string of = {};
};
constexpr auto DescribeEntity(const Following*) {
  return DefineEntity<Following>("following",
                                 {Attribute<&Following::by>("by"), Attribute<&Following::of>("of")},
                                 {PrimaryKey("ACCOUNT#{by}|", "FOLLOWS#{of}")});
}
constexpr auto DescribeEntity(const Follower*) {
  return DefineEntity<Follower>("follower",
                                {Attribute<&Follower::of>("of"), Attribute<&Follower::by>("by")},
                                {PrimaryKey("ACCOUNT#{of}", "FOLLOWER#{by}")})
      .Edge<Following>();
}

TEST(DescribeTest, UniqueAttributesAndEdgesAreListedBelowTheKeys) {
  EXPECT_EQ(
      Describe<PayAccount>("accounts").KeyTable(),
      "| Entity | key | Attributes |\n"
      "|---|---|---|\n"
      "| account | `ACCOUNT#{id}` | id, email, cardNumber (optional) |\n"
      "\n"
      "- The attribute `email` of the entity `account` is unique in the table: an item with the "
      "key `UNIQUE#emailClaim#{email}` / `UNIQUE` reserves each of its values.\n");
  EXPECT_THAT(
      (Describe<Follower, Following>("follows").KeyTable()),
      testing::EndsWith("\n\n- The entities `follower` and `following` are the two directions "
                        "of an edge. The layer writes both together.\n"));
}

TEST(DescribeTest, AVerticalBarOfATemplateDoesNotEndItsCell) {
  EXPECT_THAT(Describe<Following>("follows").KeyTable(), HasSubstr("| `ACCOUNT#{by}\\|` |"));
}

TEST(DescribeTest, TheTableHasTheKeysAndTheIndexesOfAllEntities) {
  const TableDescription table = HotelDesign().Table();
  EXPECT_EQ(table.name, "hotels");
  EXPECT_EQ(table.partition_key, KeyAttribute{"PK"});
  EXPECT_EQ(table.sort_key, KeyAttribute{"SK"});
  ASSERT_EQ(table.global_secondary_indexes.size(), 2);
  EXPECT_EQ(table.global_secondary_indexes[0].index, GlobalSecondaryIndex::Overloaded("GSI1"));
  EXPECT_EQ(table.global_secondary_indexes[1].index, GlobalSecondaryIndex::Overloaded("GSI2"));
  EXPECT_EQ(Describe<PayAccount>("accounts").Table().sort_key, std::nullopt);
}

TEST(DescribeTest, ThePictureHasTheOrderOfTheDeclaration) {
  const std::vector<Item> items = {
      Value(ToItem(Room{.hotel_id = "h1", .number = 7, .price = 90, .note = "quiet"})),
      Value(ToItem(Hotel{.id = "h1", .name = "Sea View"}))};
  const std::string svg = HotelDesign().ToSvg(items, {.title = "Hotels"});
  const auto at = [&](const std::string& text) { return svg.find(">" + text + "<"); };
  EXPECT_LT(at("hotel"), at("room")) << "the legend lists the hotel first";
  EXPECT_LT(at("price"), at("note"));
  EXPECT_LT(at("Hotels"), at("hotel"));
  for (const char* text : {"HOTEL#h1", "ROOM#0007", "KIND#single", "Sea View", "Index GSI1"}) {
    EXPECT_THAT(svg, HasSubstr(std::string(">") + text + "<"));
  }
  EXPECT_THAT(svg, Not(HasSubstr(">entityType<")));
}

}  // namespace
}  // namespace dolmen::hotel
