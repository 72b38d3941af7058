// Tests of EntityUpdate, and of setting a struct whose members are attributes of the entity.

#include <dolmen/entity.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <optional>
#include <string>

#include "tests/entity/fixture.h"

namespace dolmen::hotel {

// A guest, whose names are attributes of the item, and whose card may be absent.
struct Names {
  std::string first = {};
  std::string last = {};
  std::optional<std::string> title = {};
  Timestamp given_at = {};

  friend bool operator==(const Names&, const Names&) = default;
};
struct Card {
  std::string number = {};
  int uses = 0;

  friend bool operator==(const Card&, const Card&) = default;
};
struct Guest {
  std::string id = {};
  Names names = {};
  std::optional<Card> card = {};

  friend bool operator==(const Guest&, const Guest&) = default;
};
constexpr auto DescribeEntity(const Guest*) {
  return DefineEntity<Guest>(
      "guest",
      {Attribute<&Guest::id>("id"), Attribute<&Guest::names, &Names::first>("first"),
       Attribute<&Guest::names, &Names::last>("last"),
       Attribute<&Guest::names, &Names::title>("title"),
       Attribute<&Guest::names, &Names::given_at>("givenAt").IfUnset<Now>().ReadOnly(),
       Attribute<&Guest::card, &Card::number>("cardNumber").Required(),
       Attribute<&Guest::card, &Card::uses>("cardUses")},
      {PrimaryKey("GUEST#{id}", "GUEST"), IndexKey("GSI1", "LAST#{last}", "FIRST#{first}")});
}

namespace {

class EntityUpdateTest : public EntityTest {
 protected:
  EntityUpdateTest() {
    Value(table().Create(TheRoom()));
    guest_ = Value(
        table().Create(Guest{.id = "g1", .names = {.first = "Ann", .last = "Lee", .title = "Dr"}}));
  }

  Item GuestItem() const { return Stored({{"PK", "GUEST#g1"}, {"SK", "GUEST"}}); }

  Guest guest_;
};

TEST_F(EntityUpdateTest, TheEntityIsNamedOnce) {
  Room expected = TheRoom();
  expected.note = "loud";
  auto update = table().Update(TheRoom()).Set<&Room::note>("loud").If(
      AttrOf<&Room::note>() == "quiet", "the room is not quiet");
  EXPECT_THAT(update.Commit(), IsOkAndHolds(expected));
  EXPECT_THAT(update.Commit(), StatusIs(kConditionFailed, "the room is not quiet"));
}

TEST_F(EntityUpdateTest, CommitIgnoringReturnsASuccessForOneCode) {
  const auto update = table().Update(TheRoom()).Set<&Room::note>("loud").If(AttrOf<&Room::note>() ==
                                                                            "no such note");
  EXPECT_THAT(update.CommitIgnoring(kConditionFailed), IsOk());
  EXPECT_EQ(update.CommitIgnoring(StatusCode::kResourceNotFound).code(), kConditionFailed);
  EXPECT_THAT(table().Get(TheRoom()), IsOkAndHolds(TheRoom())) << "nothing is written";
}

// The read-only attribute givenAt keeps its value, and the key of the index follows.
TEST_F(EntityUpdateTest, SettingAStructSetsEachAttributeBehindIt) {
  Guest expected = guest_;
  expected.names.first = "Eve";
  expected.names.last = "Hill";
  expected.names.title.reset();
  EXPECT_THAT(table().Update(guest_).Set<&Guest::names>({.first = "Eve", .last = "Hill"}).Commit(),
              IsOkAndHolds(expected));
  EXPECT_EQ(GuestItem(), Value(ToItem(expected)));
  EXPECT_EQ(GuestItem()["GSI1PK"], "LAST#Hill");
}

TEST_F(EntityUpdateTest, AnOptionalStructAppearsAndDisappearsAsAWhole) {
  const Item without = GuestItem();
  Guest expected = guest_;
  expected.card = Card{.number = "77", .uses = 2};
  EXPECT_THAT(table().Update(guest_).Set<&Guest::card>(expected.card).Commit(),
              IsOkAndHolds(expected));
  EXPECT_THAT(table().Update(guest_).Set<&Guest::card>(std::nullopt).Commit(),
              IsOkAndHolds(guest_));
  EXPECT_EQ(GuestItem(), without);
}

TEST_F(EntityUpdateTest, SetIfAbsentOfAStructKeepsStoredAttributes) {
  ASSERT_THAT((table().Update(guest_).Remove<&Guest::names, &Names::title>().Commit()), IsOk());
  Guest expected = guest_;
  expected.names.title = "Prof";
  EXPECT_THAT(table()
                  .Update(guest_)
                  .SetIfAbsent<&Guest::names>({.first = "X", .last = "Y", .title = "Prof"})
                  .Commit(),
              IsOkAndHolds(expected));
}

TEST_F(EntityUpdateTest, AStructAndOneOfItsAttributesCannotBothBeSet) {
  EXPECT_THAT((table()
                   .Update(guest_)
                   .Set<&Guest::names>({.first = "Eve", .last = "Hill"})
                   .Set<&Guest::names, &Names::last>("Moor")
                   .Commit()),
              StatusIs(kValidation, HasSubstr("last")));
}

}  // namespace
}  // namespace dolmen::hotel
