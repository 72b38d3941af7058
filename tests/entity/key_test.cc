// Tests of key templates: the form of each part, the characters that a part must not contain, and
// reading members that are stored only in the key.

#include <dolmen/entity.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <limits>
#include <optional>
#include <string>

#include "tests/entity/fixture.h"

namespace dolmen::hotel {
namespace {

// An entity with a key part of every kind. The values are stored only in the key.
struct Parts {
  std::string text = {};
  RoomKind kind = {};
  Timestamp time = {};
  std::int64_t number = 0;
  std::uint32_t padded = 0;
  std::string rest = {};

  friend bool operator==(const Parts&, const Parts&) = default;
};
constexpr auto DescribeEntity(const Parts*) {
  return DefineEntity<Parts>(
      "parts",
      {Attribute<&Parts::text>("text").InKeyOnly(), Attribute<&Parts::kind>("kind").InKeyOnly(),
       Attribute<&Parts::time>("time").InKeyOnly(), Attribute<&Parts::number>("number").InKeyOnly(),
       Attribute<&Parts::padded>("padded").InKeyOnly(),
       Attribute<&Parts::rest>("rest").InKeyOnly()},
      {PrimaryKey("TEXT#{text}#{kind}#END", "{time}#N#{number:unpadded}#{padded:05}/{rest:any}")});
}

Parts WholeParts() {
  return {.text = "a-b c/d",
          .kind = RoomKind::kSuite,
          .time = Time("2026-04-15T10:30:00Z"),
          .number = -42,
          .padded = 7,
          .rest = "x/y#z"};
}

TEST(KeyTest, AKeyHoldsEachPartInItsForm) {
  const Item item = {{"PK", "TEXT#a-b c/d#suite#END"},
                     {"SK", "2026-04-15T10:30:00.000Z#N#-42#00007/x/y#z"},
                     {"entityType", "parts"}};
  EXPECT_THAT(ToItem(WholeParts()), IsOkAndHolds(item));
  EXPECT_THAT(Read<Parts>(item), IsOkAndHolds(WholeParts()));
}

TEST(KeyTest, AnEmptyPartIsRejected) {
  Parts parts = WholeParts();
  parts.text = "";
  EXPECT_THAT(ToItem(parts), StatusIs(kValidation,
                                      "parts: attribute text must not be empty, as it "
                                      "is part of a key"));
  parts = WholeParts();
  parts.rest = "";
  EXPECT_THAT(ToItem(parts), StatusIs(kValidation, Says("parts", "rest", "must not be empty")));
  EXPECT_THAT(Read<Parts>({{"PK", "TEXT#a#suite#END"},
                           {"SK", "2026-04-15T10:30:00.000Z#N#1#00007/"},
                           {"entityType", "parts"}}),
              StatusIs(kCorruption, Says("parts", "rest")));
}

// A part of a key must not contain the separator that ends the part. Otherwise two different
// entities could have the same key.
TEST(KeyTest, APartThatHoldsItsSeparatorIsRejected) {
  Parts parts = WholeParts();
  parts.text = "a#b";
  EXPECT_THAT(ToItem(parts), StatusIs(kValidation,
                                      "parts: attribute text must not hold \"#\", "
                                      "which ends a part of its key"));
  Booking booking = NewBooking("b1");
  for (const char* id : {"#", "b#1", "b1#", "b1#PAYMENT#01"}) {
    booking.id = id;
    EXPECT_THAT(ToItem(booking), StatusIs(kValidation, Says("booking", "bookingId", "#"))) << id;
  }
  booking.id = "b/1-{}:\u00e9";
  EXPECT_THAT(ToItem(booking), IsOk());
  booking.guest_id = "g#1";
  EXPECT_THAT(ToItem(booking), StatusIs(kValidation, Says("booking", "guestId", "#")))
      << "the rule also holds for an index key";
}

// An entity whose key is a path with slashes.
struct Document {
  std::string owner = {};
  std::string name = {};

  friend bool operator==(const Document&, const Document&) = default;
};
constexpr auto DescribeEntity(const Document*) {
  return DefineEntity<Document>("document",
                                {Attribute<&Document::owner>("owner").InKeyOnly(),
                                 Attribute<&Document::name>("name").InKeyOnly()},
                                {PrimaryKey("{owner}/documents", "document/{name:any}")});
}

TEST(KeyTest, ThePartDeterminesItsSeparator) {
  const Document document = {.owner = "a#b", .name = "notes/2026/#1"};
  const Item item = {
      {"PK", "a#b/documents"}, {"SK", "document/notes/2026/#1"}, {"entityType", "document"}};
  EXPECT_THAT(ToItem(document), IsOkAndHolds(item));
  EXPECT_THAT(Read<Document>(item), IsOkAndHolds(document));
  EXPECT_THAT(ToItem(Document{.owner = "a/b", .name = "x"}),
              StatusIs(kValidation, Says("document", "owner", "/")));
}

TEST(KeyTest, NumbersArePaddedToTheirWidth) {
  const auto sort_key = [](int number) -> Result<AttributeValue> {
    const Result<Item> item = ToItem(Room{.hotel_id = "h1", .number = number});
    if (!item.ok()) return item.status();
    return item->at("SK");
  };
  EXPECT_THAT(sort_key(0), IsOkAndHolds(AttributeValue("ROOM#0000")));
  EXPECT_THAT(sort_key(9999), IsOkAndHolds(AttributeValue("ROOM#9999")));
  EXPECT_THAT(sort_key(10000), StatusIs(kValidation,
                                        "room: attribute number must have at most 4 "
                                        "digits in its key, not 10000"));
  EXPECT_THAT(sort_key(-1), StatusIs(kValidation,
                                     "room: attribute number must not be negative, because its key "
                                     "pads it with zeros: -1"));
}

TEST(KeyTest, NegativeNumbersAreStoredAndRead) {
  for (const std::int64_t number :
       {std::numeric_limits<std::int64_t>::min(), std::numeric_limits<std::int64_t>::max()}) {
    Parts parts = WholeParts();
    parts.number = number;
    EXPECT_THAT(Read<Parts>(Value(ToItem(parts))), IsOkAndHolds(parts));
  }
}

TEST(KeyTest, DatesAreDaysInUtc) {
  Booking booking = NewBooking("b1");
  booking.arrival = Time("2026-12-31T23:59:59.999Z");
  EXPECT_EQ(Value(ToItem(booking)).at("SK"), AttributeValue("BOOKING#2026-12-31#b1"));
}

TEST(KeyTest, EnumsInKeysAreChecked) {
  Parts parts = WholeParts();
  parts.kind = RoomKind{8};
  EXPECT_THAT(ToItem(parts),
              StatusIs(kValidation, "parts: attribute kind is 8, which Spellings does not list"));
  EXPECT_THAT(Read<Parts>({{"PK", "TEXT#a#barn#END"},
                           {"SK", "2026-04-15T10:30:00.000Z#N#1#00007/x"},
                           {"entityType", "parts"}}),
              StatusIs(kCorruption, Says("parts", "kind", "barn")));
}

// An entity whose keys have other attribute names, as in a table that another program has created.
struct Ticket {
  std::string event = {};
  std::string seat = {};
  std::optional<std::string> buyer = {};

  friend bool operator==(const Ticket&, const Ticket&) = default;
};
constexpr auto DescribeEntity(const Ticket*) {
  return DefineEntity<Ticket>(
      "ticket",
      {Attribute<&Ticket::event>("event").InKeyOnly(), Attribute<&Ticket::seat>("seat").InKeyOnly(),
       Attribute<&Ticket::buyer>("buyer")},
      {PrimaryKey("E#{event}", "S#{seat}").Named("pk", "sk"),
       IndexKey("ByBuyer", "B#{buyer}", "{event}").Named("buyerKey", "eventKey")});
}

TEST(NamedKeyTest, KeyAttributesHaveTheGivenNames) {
  const Ticket ticket = {.event = "opera", .seat = "12", .buyer = "Ann"};
  const Item item = {{"pk", "E#opera"},     {"sk", "S#12"},           {"buyerKey", "B#Ann"},
                     {"eventKey", "opera"}, {"entityType", "ticket"}, {"buyer", "Ann"}};
  EXPECT_THAT(ToItem(ticket), IsOkAndHolds(item));
  EXPECT_THAT(Read<Ticket>(item), IsOkAndHolds(ticket));
}

TEST(NamedKeyTest, EveryRequestUsesTheGivenNames) {
  const Database database = Value(Database::InMemory());
  CreateTableInput input;
  input.name = "tickets";
  input.partition_key = {.name = "pk"};
  input.sort_key = KeyAttribute{.name = "sk"};
  GlobalSecondaryIndex index;
  index.name = "ByBuyer";
  index.partition_key = {{.name = "buyerKey"}};
  index.sort_key = {{.name = "eventKey"}};
  input.global_secondary_indexes.push_back(index);
  const EntityTable table(database, Value(database.CreateTable(input)));

  const Ticket ticket = {.event = "opera", .seat = "12"};
  EXPECT_THAT(table.Create(ticket), IsOk());
  EXPECT_THAT(table.Create(ticket), StatusIs(kInUse, Says("ticket", "opera", "12")));
  const Ticket sold = {.event = "opera", .seat = "12", .buyer = "Ann"};
  EXPECT_THAT(table.Update(ticket, Changes<Ticket>().Set<&Ticket::buyer>("Ann")),
              IsOkAndHolds(sold));
  EXPECT_THAT(table.Get(ticket), IsOkAndHolds(sold));
  EXPECT_THAT(table.Query<Ticket>().With<&Ticket::event>("opera").All(),
              IsOkAndHolds(ElementsAre(sold)));
  const Ticket another = {.event = "play", .seat = "3", .buyer = "Ann"};
  EXPECT_THAT(table.Create(another), IsOk());
  const auto bought = table.Query<Ticket>("ByBuyer").With<&Ticket::buyer>("Ann").Limit(1).Page();
  ASSERT_THAT(bought, IsOk());
  EXPECT_THAT(bought->items, ElementsAre(sold));
  const auto rest =
      table.Query<Ticket>("ByBuyer").With<&Ticket::buyer>("Ann").From(bought->next_cursor).Page();
  ASSERT_THAT(rest, IsOk());
  EXPECT_THAT(rest->items, ElementsAre(another));
  EXPECT_THAT(table.Remove(ticket), IsOk());
}

// An entity in a table without a sort key.
struct Setting {
  std::string name = {};
  std::string value = {};

  friend bool operator==(const Setting&, const Setting&) = default;
};
constexpr auto DescribeEntity(const Setting*) {
  return DefineEntity<Setting>(
      "setting",
      {Attribute<&Setting::name>("name").InKeyOnly(), Attribute<&Setting::value>("value")},
      {PrimaryKey("SETTING#{name}")});
}

TEST(PartitionKeyTest, ATableMayHaveNoSortKey) {
  const Database database = Value(Database::InMemory());
  CreateTableInput input;
  input.name = "settings";
  input.partition_key = {.name = "PK"};
  input.sort_key = std::nullopt;
  const EntityTable table(database, Value(database.CreateTable(input)));
  const Setting setting = {.name = "theme", .value = "dark"};
  EXPECT_THAT(table.Put(setting), IsOk());
  EXPECT_THAT(table.Get(Setting{.name = "theme"}), IsOkAndHolds(setting));
  EXPECT_THAT(table.Get(Setting{.name = "font"}),
              StatusIs(kNotFound, "there is no setting with name \"font\""));
  EXPECT_THAT(table.Query<Setting>().With<&Setting::name>("theme").All(),
              IsOkAndHolds(ElementsAre(setting)));
}

// An entity whose keys are in lower case.
struct Ship {
  std::string fleet = {};
  std::string name = {};

  friend bool operator==(const Ship&, const Ship&) = default;
};
constexpr auto DescribeEntity(const Ship*) {
  return DefineEntity<Ship>("ship",
                            {Attribute<&Ship::fleet>("fleet"), Attribute<&Ship::name>("name")},
                            {PrimaryKey("$fleet_{fleet:lower}", "$ship_{name:lower}#1")});
}

TEST(LowerKeyTest, TheKeyIsInLowerCaseAndTheAttributeIsNot) {
  const Ship ship = {.fleet = "North_2", .name = "Aurora"};
  const Item item = {{"PK", "$fleet_north_2"},
                     {"SK", "$ship_aurora#1"},
                     {"entityType", "ship"},
                     {"fleet", "North_2"},
                     {"name", "Aurora"}};
  EXPECT_THAT(ToItem(ship), IsOkAndHolds(item));
  EXPECT_THAT(Read<Ship>(item), IsOkAndHolds(ship));
  EXPECT_THAT(Read<Ship>({{"PK", "$fleet_north_2"}, {"SK", "$ship_aurora#1"}}),
              IsOkAndHolds(Ship{.fleet = "north_2", .name = "aurora"}));
  EXPECT_THAT(Read<Ship>({{"PK", "$fleet_North_2"}, {"SK", "$ship_aurora#1"}}),
              StatusIs(kCorruption, Says("ship", "$fleet_North_2", "not a key of this entity")));
}

TEST(LowerKeyTest, ATextThatDoesNotFitIsRejected) {
  EXPECT_THAT(ToItem(Ship{.fleet = "N", .name = "a#b"}),
              StatusIs(kValidation, Says("ship", "name", "#")));
  EXPECT_THAT(ToItem(Ship{.fleet = "\u00c4", .name = "a"}),
              StatusIs(kValidation, Says("ship", "fleet", "must be ASCII")));
}

// An entity whose attributes are the key attributes of the table and of an index.
struct Post {
  std::string forum = {};
  std::string id = {};
  std::optional<std::string> author = {};
  std::optional<Timestamp> at = {};
  int likes = 0;

  friend bool operator==(const Post&, const Post&) = default;
};
constexpr auto DescribeEntity(const Post*) {
  return DefineEntity<Post>("post",
                            {Attribute<&Post::forum>("forum"), Attribute<&Post::id>("id"),
                             Attribute<&Post::author>("author"), Attribute<&Post::at>("at"),
                             Attribute<&Post::likes>("likes")},
                            {PrimaryKey("{forum}", "{id:any}").Named("forum", "id"),
                             IndexKey("ByAuthor", "{author}", "{at}").Named("author", "at")});
}

TEST(AttributeAsKeyTest, TheItemHoldsTheAttributeOnce) {
  const Post post = {
      .forum = "a", .id = "b/c", .author = "Ann", .at = Time("2026-04-15T10:30:00Z")};
  const Item item = {{"forum", "a"},    {"id", "b/c"},
                     {"author", "Ann"}, {"at", "2026-04-15T10:30:00.000Z"},
                     {"likes", 0},      {"entityType", "post"}};
  EXPECT_THAT(ToItem(post), IsOkAndHolds(item));
  EXPECT_THAT(Read<Post>(item), IsOkAndHolds(post));
}

TEST(AttributeAsKeyTest, AnUpdateKeepsAnAttributeOfAnIncompleteIndexKey) {
  const Database database = Value(Database::InMemory());
  CreateTableInput input;
  input.name = "posts";
  input.partition_key = {.name = "forum"};
  input.sort_key = KeyAttribute{.name = "id"};
  input.global_secondary_indexes = {
      {.name = "ByAuthor", .partition_key = {{"author"}}, .sort_key = {{"at"}}}};
  const EntityTable table(database, Value(database.CreateTable(input)));
  Post post = {.forum = "a", .id = "b", .author = "Ann"};
  EXPECT_THAT(table.Update(post, Changes<Post>().Set<&Post::author>("Ann").OrCreate()),
              IsOkAndHolds(post));
  post.likes = 1;
  EXPECT_THAT(table.Update(post, Changes<Post>().Add<&Post::likes>(1)), IsOkAndHolds(post));
  const auto of_ann = [&] {
    return Value(table.Query<Post>("ByAuthor").With<&Post::author>("Ann").All());
  };
  EXPECT_THAT(of_ann(), IsEmpty());
  post.at = Time("2026-04-15T10:30:00Z");
  EXPECT_THAT(table.Update(post, Changes<Post>().Set<&Post::at>(*post.at)), IsOkAndHolds(post));
  EXPECT_THAT(of_ann(), ElementsAre(post));
  EXPECT_THAT(Value(table.Reindex<Post>()).items_written, 0U);
  post.at.reset();
  EXPECT_THAT(table.Update(post, Changes<Post>().Remove<&Post::at>()), IsOkAndHolds(post));
  EXPECT_THAT(of_ann(), IsEmpty());
}

}  // namespace
}  // namespace dolmen::hotel
