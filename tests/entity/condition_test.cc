// Tests of the conditions of writes: what a write says when its condition is false.

#include <dolmen/entity.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "tests/entity/fixture.h"

namespace dolmen::hotel {
namespace {

class ConditionTest : public EntityTest {
 protected:
  ConditionTest() { Value(table().Create(TheRoom())); }
};

TEST_F(ConditionTest, TheMessageIsTheWordsOfTheFirstFalseCondition) {
  const auto changes = [](std::int64_t price_max, std::string_view note) {
    return Changes<Room>()
        .Set<&Room::note>("loud")
        .If(AttrOf<&Room::price>() <= price_max, "the room is too expensive")
        .If(AttrOf<&Room::note>() == std::string(note), "the note is another");
  };
  const std::int64_t price = TheRoom().price;
  const auto update = [&](const Changes<Room>& all) {
    return table().Update(TheRoom(), all).status();
  };
  EXPECT_THAT(update(changes(price, "quiet")), IsOk());
  EXPECT_THAT(update(changes(price, "quiet")), StatusIs(kConditionFailed, "the note is another"));
  EXPECT_THAT(update(changes(price - 1, "quiet")),
              StatusIs(kConditionFailed, "the room is too expensive"));
  EXPECT_THAT(update(changes(price, "loud").If(AttrOf<&Room::price>() == 1)),
              StatusIs(kConditionFailed, AllOf(Says("room", "h1"), HasSubstr("is false"))));

  const ConditionBuilder is_cheap = AttrOf<&Room::price>() < price;
  const auto is_dear = StatusIs(kConditionFailed, "the room is too expensive");
  EXPECT_THAT(table().Remove(TheRoom(), is_cheap, "the room is too expensive"), is_dear);
  EXPECT_THAT(table().Transact().Remove(TheRoom(), is_cheap, "the room is too expensive").Commit(),
              is_dear);
  EXPECT_THAT(table().Transact().Require(TheRoom(), is_cheap, "the room is too expensive").Commit(),
              is_dear);
  EXPECT_THAT(table().Remove(TheRoom(), is_cheap),
              StatusIs(kConditionFailed, AllOf(Says("room", "h1"), HasSubstr("is false"))));
}

TEST_F(ConditionTest, AnEntityIsUnchangedIfItHasTheAttributesThatWereRead) {
  const Room read = TheRoom();
  const auto is_edited = StatusIs(kConditionFailed, "the room was edited");
  const auto require = [&] {
    return table().Transact().Require(read, IsUnchanged(read), "the room was edited").Commit();
  };
  EXPECT_THAT(require(), IsOk());
  Value(table().Update(read).Set<&Room::price>(read.price + 1).Commit());
  EXPECT_THAT(require(), is_edited);
  Room bare = read;
  bare.note.reset();
  Value(table().Put(bare));
  EXPECT_THAT(require(), is_edited) << "an attribute is missing";
  EXPECT_THAT(table().Remove(bare, IsUnchanged(bare)), IsOk());
  EXPECT_THAT(require(), StatusIs(kNotFound, HasSubstr("h1")));
}

TEST_F(ConditionTest, AnUpdateThatMayCreateTheItemSaysItsWords) {
  const auto visit = Changes<Visits>().Add<&Visits::count>(1).OrCreate().If(
      AttrOf<&Visits::count>() < 3, "there are no visits yet");
  EXPECT_THAT(table().Update(Visits{.page = "new"}, visit),
              StatusIs(kConditionFailed, "there are no visits yet"));
}

}  // namespace
}  // namespace dolmen::hotel
