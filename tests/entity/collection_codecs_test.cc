// Tests of members of the standard library's sets, maps and variants.

#include <dolmen/entity.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <limits>
#include <map>
#include <set>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <variant>
#include <vector>

#include "tests/entity/fixture.h"
#include "tests/entity/holder.h"

namespace dolmen::hotel {
namespace {

using test::B;

TEST(StandardSetTest, TheElementsDecideTheTypeOfTheSet) {
  EXPECT_THAT(Encoded(std::set<std::string>{"b", "a"}),
              IsOkAndHolds(AttributeValue(StringSet{"a", "b"})));
  EXPECT_THAT(Encoded(std::set<int>{2, 10}), IsOkAndHolds(AttributeValue(NumberSet{2, 10})));
  EXPECT_THAT(Encoded(std::set<double>{0.5}), IsOkAndHolds(AttributeValue(NumberSet{N("0.5")})));
  EXPECT_THAT(Encoded(std::set<Binary>{B("x")}), IsOkAndHolds(AttributeValue(BinarySet{B("x")})));
  EXPECT_THAT(Encoded(std::set<RoomKind>{RoomKind::kSuite}),
              IsOkAndHolds(AttributeValue(StringSet{"suite"})));
  EXPECT_THAT(ThereAndBack(std::set<int>{2, 10, -1}), IsOkAndHolds(std::set<int>{-1, 2, 10}));
  EXPECT_THAT(ThereAndBack(std::unordered_set<std::string>{"a", "b"}),
              IsOkAndHolds(std::unordered_set<std::string>{"a", "b"}));
}

TEST(StandardSetTest, AnEmptySetHasNoAttribute) {
  EXPECT_THAT(Encoded(std::set<int>()), StatusIs(kValidation, "nothing is stored"));
  EXPECT_THAT(ThereAndBack(std::set<int>()), IsOkAndHolds(IsEmpty()));
}

TEST(StandardSetTest, OtherTypesAndElementsAreErrors) {
  ExpectCorruptValue<std::set<int>>(List{1}, "has type L, not SS");
  EXPECT_THAT(Decoded<std::set<int>>(StringSet{"a"}),
              StatusIs(kCorruption, HasSubstr("attribute value[0] has type S, not N")));
  EXPECT_THAT(Encoded(std::set<bool>{true}),
              StatusIs(kValidation,
                       "holder: attribute value has elements that a set cannot hold: only texts, "
                       "numbers or bytes"));
}

TEST(StandardMapTest, UnorderedMapsAreStoredAsM) {
  const std::unordered_map<std::string, double> prices = {{"adult", 9.5}, {"child", 4}};
  EXPECT_THAT(Encoded(prices), IsOkAndHolds(AttributeValue(Map{{"adult", 9.5}, {"child", 4}})));
  EXPECT_THAT(ThereAndBack(prices), IsOkAndHolds(prices));
  EXPECT_THAT(ThereAndBack(Map{{"a", 1}, {"b", "c"}}), IsOkAndHolds(Map{{"a", 1}, {"b", "c"}}));
}

using Answer = std::variant<std::monostate, bool, std::int64_t, Timestamp, std::string,
                            std::vector<std::string>, Address>;

TEST(VariantTest, TheCurrentAlternativeIsStored) {
  EXPECT_THAT(Encoded(Answer()), IsOkAndHolds(AttributeValue(nullptr)));
  EXPECT_THAT(Encoded(Answer(std::int64_t{7})), IsOkAndHolds(AttributeValue(7)));
  EXPECT_THAT(Encoded(Answer("seven")), IsOkAndHolds(AttributeValue("seven")));
}

TEST(VariantTest, TheFirstAlternativeThatAcceptsTheValueIsRead) {
  for (const Answer& answer :
       {Answer(), Answer(true), Answer(std::int64_t{7}), Answer(Time("2026-04-15T10:30:00Z")),
        Answer("seven"), Answer(std::vector<std::string>{"a"}),
        Answer(Address{.street = "Ring 1", .city = "Bonn"})}) {
    EXPECT_THAT(ThereAndBack(answer), IsOkAndHolds(answer));
  }
}

TEST(VariantTest, AValueOfNoAlternativeIsCorruption) {
  using Size = std::variant<int, std::string>;
  ExpectCorruptValue<Size>(
      true, "is no alternative of its variant: it has type BOOL, not N; it has type BOOL, not S");
  EXPECT_THAT(Encoded(std::variant<int, RoomKind>(RoomKind{7})),
              StatusIs(kValidation, HasSubstr("is 7, which Spellings does not list")));
}

// A counter of visits with members of types that Add and Delete change.
struct Tally {
  std::string id = {};
  double sum = 0;
  std::set<int> years = {};

  friend bool operator==(const Tally&, const Tally&) = default;
};
constexpr auto DescribeEntity(const Tally*) {
  return DefineEntity<Tally>("tally",
                             {Attribute<&Tally::id>("id"), Attribute<&Tally::sum>("sum"),
                              Attribute<&Tally::years>("years")},
                             {PrimaryKey("TALLY#{id}", "TALLY")});
}

class CollectionCodecsTableTest : public EntityTest {};

TEST_F(CollectionCodecsTableTest, AddAndDeleteChangeDoublesAndSets) {
  const Tally tally = Value(table().Create(Tally{.id = "1", .sum = 0.1}));
  EXPECT_THAT(table().Update(
                  tally, Changes<Tally>().Add<&Tally::sum>(0.2).Add<&Tally::years>({2025, 2026})),
              IsOkAndHolds(Tally{.id = "1", .sum = 0.3, .years = {2025, 2026}}))
      << "the database adds decimal numbers, so the sum is exact";
  EXPECT_THAT(table().Update(tally, Changes<Tally>().Delete<&Tally::years>({2025})),
              IsOkAndHolds(Tally{.id = "1", .sum = 0.3, .years = {2026}}));
  EXPECT_THAT(table().Update(tally, Changes<Tally>().Add<&Tally::sum>(
                                        std::numeric_limits<double>::infinity())),
              StatusIs(kValidation, Says("tally", "sum", "is inf")));
}

}  // namespace
}  // namespace dolmen::hotel
