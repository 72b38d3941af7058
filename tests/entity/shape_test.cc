// Tests of members that hold other values: optionals, sets, lists, maps and structs.

#include <dolmen/entity.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "tests/entity/fixture.h"
#include "tests/entity/holder.h"

namespace dolmen::hotel {
namespace {

using test::B;

template <typename V>
void ExpectCorrupt(const AttributeValue& stored, const std::string& attribute) {
  EXPECT_THAT(Decoded<V>(stored),
              StatusIs(kCorruption, "holder \"HOLDER#1\": attribute " + attribute));
}

TEST(OptionalTest, AnEmptyOptionalHasNoAttribute) {
  const Item item = Value(ToItem(Holder<std::optional<int>>{.id = "1"}));
  EXPECT_FALSE(item.contains("value"));
  EXPECT_THAT(ThereAndBack<std::optional<int>>(std::nullopt), IsOkAndHolds(std::nullopt));
  EXPECT_THAT(ThereAndBack<std::optional<int>>(0), IsOkAndHolds(Optional(0)));
  EXPECT_THAT(ThereAndBack<std::optional<std::string>>(""), IsOkAndHolds(Optional(std::string())));
}

// A NULL counts as an absent value, because other programs write NULL instead of nothing.
TEST(OptionalTest, AStoredNullIsReadAsEmpty) {
  EXPECT_THAT(Decoded<std::optional<int>>(nullptr), IsOkAndHolds(std::nullopt));
  EXPECT_THAT(Decoded<StringSet>(nullptr), IsOkAndHolds(StringSet()));
  ExpectCorrupt<int>(nullptr, "value has type NULL, not N");
}

TEST(OptionalTest, AValueInAnOptionalIsChecked) {
  ExpectCorrupt<std::optional<int>>("1", "value has type S, not N");
  EXPECT_THAT(Encoded(std::optional(RoomKind{9})),
              StatusIs(kValidation, "holder: attribute value is 9, which Spellings does not list"));
}

struct Voucher {
  std::string id = {};
  std::optional<std::string> owner = {};

  friend bool operator==(const Voucher&, const Voucher&) = default;
};
constexpr auto DescribeEntity(const Voucher*) {
  return DefineEntity<Voucher>(
      "voucher", {Attribute<&Voucher::id>("id"), Attribute<&Voucher::owner>("owner").Required()},
      {PrimaryKey("VOUCHER#{id}")});
}

TEST(RequiredTest, AnEmptyRequiredOptionalIsRejected) {
  EXPECT_THAT(ToItem(Voucher{.id = "1"}),
              StatusIs(kValidation, "voucher: attribute owner is missing"));
  const Voucher whole = {.id = "1", .owner = "g1"};
  Item item = Value(ToItem(whole));
  EXPECT_THAT(Read<Voucher>(item), IsOkAndHolds(whole));
  item.insert_or_assign("owner", nullptr);
  EXPECT_THAT(Read<Voucher>(item), StatusIs(kCorruption, Says("voucher", "owner", "NULL")));
  item.erase("owner");
  EXPECT_THAT(Read<Voucher>(item), StatusIs(kCorruption,
                                            "voucher \"VOUCHER#1\": attribute owner "
                                            "is missing"));
}

TEST(SetTest, SetsAreStoredAsSets) {
  EXPECT_THAT(Encoded(StringSet{"bath", "balcony"}),
              IsOkAndHolds(AttributeValue(StringSet{"balcony", "bath"})));
  EXPECT_THAT(ThereAndBack(StringSet{"a", "b", ""}), IsOkAndHolds(StringSet{"", "a", "b"}));
  EXPECT_THAT(ThereAndBack(NumberSet{1, N("0.5"), -3}), IsOkAndHolds(NumberSet{-3, N("0.5"), 1}));
  EXPECT_THAT(ThereAndBack(BinarySet{B("x"), B("")}), IsOkAndHolds(BinarySet{B(""), B("x")}));
}

// DynamoDB cannot store an empty set, so an empty set is stored as an absent attribute.
TEST(SetTest, AnEmptySetHasNoAttribute) {
  EXPECT_FALSE(Value(ToItem(Holder<StringSet>{.id = "1"})).contains("value"));
  EXPECT_THAT(ThereAndBack(StringSet()), IsOkAndHolds(StringSet()));
  EXPECT_THAT(ThereAndBack(NumberSet()), IsOkAndHolds(NumberSet()));
  EXPECT_THAT(ThereAndBack(BinarySet()), IsOkAndHolds(BinarySet()));
}

TEST(SetTest, SetsOfAnotherTypeAreCorruption) {
  ExpectCorrupt<StringSet>(NumberSet{1}, "value has type NS, not SS");
  ExpectCorrupt<NumberSet>(BinarySet{B("1")}, "value has type BS, not NS");
  ExpectCorrupt<BinarySet>(List{"a"}, "value has type L, not BS");
}

TEST(ListTest, ListsKeepTheirOrder) {
  using Texts = std::vector<std::string>;
  EXPECT_THAT(Encoded(Texts{"b", "a", "b"}), IsOkAndHolds(AttributeValue(List{"b", "a", "b"})));
  EXPECT_THAT(ThereAndBack(Texts{"b", "a", "b"}), IsOkAndHolds(Texts{"b", "a", "b"}));
  EXPECT_THAT(Encoded(Texts()), IsOkAndHolds(AttributeValue(List())))
      << "an empty list can be stored, unlike an empty set";
  EXPECT_THAT(ThereAndBack(Texts()), IsOkAndHolds(Texts()));
}

TEST(ListTest, AnErrorNamesTheElement) {
  ExpectCorrupt<std::vector<int>>(List{1, 2, "three"}, "value[2] has type S, not N");
  ExpectCorrupt<std::vector<std::vector<int>>>(List{List{}, List{1, nullptr}},
                                               "value[1][1] has type NULL, not N");
  ExpectCorrupt<std::vector<int>>(NumberSet{1}, "value has type NS, not L");
  EXPECT_THAT(
      Encoded(std::vector{RoomKind::kSuite, RoomKind{5}}),
      StatusIs(kValidation, "holder: attribute value[1] is 5, which Spellings does not list"));
}

TEST(MapTest, MapsHaveElementsOfOneType) {
  using Prices = std::map<std::string, int>;
  const Prices prices = {{"adult", 20}, {"child", 10}, {"", 0}};
  EXPECT_THAT(Encoded(prices),
              IsOkAndHolds(AttributeValue(Map{{"", 0}, {"adult", 20}, {"child", 10}})));
  EXPECT_THAT(ThereAndBack(prices), IsOkAndHolds(prices));
  EXPECT_THAT(ThereAndBack(Prices()), IsOkAndHolds(Prices()));
  ExpectCorrupt<Prices>(Map{{"adult", 20}, {"child", "free"}}, "value.child has type S, not N");
  ExpectCorrupt<Prices>(List{1}, "value has type L, not M");
}

TEST(StructTest, StructsAreStoredAsMaps) {
  const Address address = {.street = "Quay 1", .city = "Bonn"};
  EXPECT_THAT(Encoded(address),
              IsOkAndHolds(AttributeValue(Map{{"city", "Bonn"}, {"street", "Quay 1"}})));
  EXPECT_THAT(ThereAndBack(address), IsOkAndHolds(address));
  const Address whole = {.street = "Quay 1", .city = "Bonn", .zip = "53111"};
  EXPECT_THAT(ThereAndBack(whole), IsOkAndHolds(whole));
}

TEST(StructTest, AnErrorNamesTheMemberOfAStruct) {
  ExpectCorrupt<Address>(Map{{"street", "Quay 1"}, {"city", "Bonn"}, {"zip", 53111}},
                         "value.zip has type N, not S");
  ExpectCorrupt<Address>("Quay 1, Bonn", "value has type S, not M");
}

TEST(StructTest, StructsMayBeNested) {
  const std::vector<Address> list = {{.street = "a", .city = "b"}, {.street = "c", .city = "d"}};
  EXPECT_THAT(ThereAndBack(list), IsOkAndHolds(list));
  const std::map<std::string, std::vector<Address>> map = {{"homes", list}, {"none", {}}};
  EXPECT_THAT(ThereAndBack(map), IsOkAndHolds(map));
  EXPECT_THAT(ThereAndBack(std::optional(list.front())), IsOkAndHolds(Optional(list.front())));
  ExpectCorrupt<std::vector<Address>>(List{Map{{"street", "a"}, {"city", 1}}},
                                      "value[0].city has type N, not S");
}

TEST(StructTest, AnAbsentMemberOfAStructKeepsItsInitialiser) {
  EXPECT_THAT(Decoded<Address>(Map{{"street", "Quay 1"}}),
              IsOkAndHolds(Address{.street = "Quay 1"}));
}

// Another program may have added an attribute that the struct does not describe.
TEST(StructTest, UnknownAttributesAreIgnored) {
  EXPECT_THAT(Decoded<Address>(Map{{"street", "a"}, {"city", "b"}, {"planet", 3}}),
              IsOkAndHolds(Address{.street = "a", .city = "b"}));
}

// A guest's card. The guest's item has all attributes of the card or none of them.
struct Card {
  std::string number = {};
  int expires_year = 0;
  std::optional<std::string> holder = {};

  friend bool operator==(const Card&, const Card&) = default;
};
struct Guest {
  std::string id = {};
  std::optional<Card> card = {};

  friend bool operator==(const Guest&, const Guest&) = default;
};
constexpr auto DescribeEntity(const Guest*) {
  return DefineEntity<Guest>(
      "guest",
      {Attribute<&Guest::id>("id"), Attribute<&Guest::card, &Card::number>("cardNumber"),
       Attribute<&Guest::card, &Card::expires_year>("cardExpires"),
       Attribute<&Guest::card, &Card::holder>("cardHolder")},
      {PrimaryKey("GUEST#{id}"), IndexKey("GSI1", "CARD#{cardNumber}")});
}

TEST(OptionalOnTheWayTest, AnEmptyOptionalStructHasNoAttributes) {
  const Guest with = {.id = "1", .card = Card{.number = "42", .expires_year = 2030}};
  EXPECT_THAT(ToItem(with), IsOkAndHolds(Item{{"PK", "GUEST#1"},
                                              {"entityType", "guest"},
                                              {"id", "1"},
                                              {"cardNumber", "42"},
                                              {"cardExpires", 2030},
                                              {"GSI1PK", "CARD#42"}}));
  EXPECT_THAT(Read<Guest>(Value(ToItem(with))), IsOkAndHolds(with));

  const Guest without = {.id = "1"};
  EXPECT_THAT(ToItem(without),
              IsOkAndHolds(Item{{"PK", "GUEST#1"}, {"entityType", "guest"}, {"id", "1"}}));
  EXPECT_THAT(Read<Guest>(Value(ToItem(without))), IsOkAndHolds(without));
}

TEST(OptionalOnTheWayTest, AnyAttributeOfTheGroupFillsTheOptional) {
  const Item none = {{"PK", "GUEST#1"}, {"entityType", "guest"}, {"id", "1"}};
  const auto with = [&](const std::string& name, const AttributeValue& value) {
    Item item = none;
    item.insert_or_assign(name, value);
    return Read<Guest>(item);
  };
  EXPECT_THAT(with("cardNumber", "42"),
              IsOkAndHolds(Guest{.id = "1", .card = Card{.number = "42"}}));
  EXPECT_THAT(with("cardHolder", nullptr), IsOkAndHolds(Guest{.id = "1"}));
}

// An optional part of an entity, with a time that each write fills in. A write does not fill in
// the time if the optional is empty.
struct Checkout {
  Timestamp at = {};
  std::string by = {};

  friend bool operator==(const Checkout&, const Checkout&) = default;
};
struct Stay {
  std::string id = {};
  std::optional<Checkout> checkout = {};

  friend bool operator==(const Stay&, const Stay&) = default;
};
constexpr auto DescribeEntity(const Stay*) {
  return DefineEntity<Stay>("stay",
                            {Attribute<&Stay::id>("id"),
                             Attribute<&Stay::checkout, &Checkout::at>("checkoutAt").IfUnset<Now>(),
                             Attribute<&Stay::checkout, &Checkout::by>("checkoutBy")},
                            {PrimaryKey("STAY#{id}", "STAY")});
}

using OptionalOnTheWayTableTest = EntityTest;

TEST_F(OptionalOnTheWayTableTest, AFilledAttributeDoesNotCreateAnOptionalStruct) {
  EXPECT_THAT(table().Create(Stay{.id = "1"}), IsOkAndHolds(Stay{.id = "1"}));
  const Stay over = {.id = "2", .checkout = Checkout{.by = "Ann"}};
  const Stay created = Value(table().Create(over));
  EXPECT_EQ(created.checkout->at, clock_->Now());
}

}  // namespace
}  // namespace dolmen::hotel
