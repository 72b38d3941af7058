// Tests of entities that change after their items were written: a member is new, absent, required
// or out of range.

#include <dolmen/entity.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <optional>
#include <string>

#include "tests/entity/fixture.h"

namespace dolmen::hotel {
namespace {

// The second version of an entity whose first version had only an id and a name.
struct Task {
  std::string id = {};
  std::string name = {};
  int priority = 3;
  std::string state = "open";
  std::optional<std::string> owner = {};
  StringSet tags = {};
  std::int64_t version = 0;

  friend bool operator==(const Task&, const Task&) = default;
};
constexpr auto DescribeEntity(const Task*) {
  return DefineEntity<Task>(
      "task",
      {Attribute<&Task::id>("taskId"), Attribute<&Task::name>("name").Required(),
       Attribute<&Task::priority>("priority"), Attribute<&Task::state>("state"),
       Attribute<&Task::owner>("owner"), Attribute<&Task::tags>("tags"),
       Attribute<&Task::version>("version").Version()},
      {PrimaryKey("TASKS", "TASK#{taskId}"),
       IndexKey("GSI1", "PRIORITY#{priority:02}", "{taskId}")});
}

class ChangeTest : public EntityTest {
 protected:
  static Item OldItem(const std::string& id) {
    return {{"PK", "TASKS"},
            {"SK", "TASK#" + id},
            {"entityType", "task"},
            {"taskId", id},
            {"name", "Paint"}};
  }
  Item StoredTask(const std::string& id) const { return Stored(Key("TASKS", "TASK#" + id)); }
};

TEST_F(ChangeTest, AnAbsentAttributeHasTheValueOfItsInitialiser) {
  Store(OldItem("1"));
  const Task expected = {.id = "1", .name = "Paint"};
  EXPECT_EQ(expected.priority, 3);
  EXPECT_THAT(table().Get(Task{.id = "1"}), IsOkAndHolds(expected));
  EXPECT_THAT(table().Query<Task>().All(), IsOkAndHolds(ElementsAre(expected)));
  EXPECT_THAT(table().Update(Task{.id = "1"}, Changes<Task>().Set<&Task::owner>("Ann")), IsOk());
}

TEST_F(ChangeTest, AnAttributeOfThePrimaryKeyIsReadFromTheKey) {
  Item item = OldItem("1");
  item.erase("taskId");
  EXPECT_THAT(Read<Task>(item), IsOkAndHolds(Task{.id = "1", .name = "Paint"}));
  Item booking = {{"PK", "HOTEL#h1"}, {"SK", "BOOKING#2026-05-01#b1"}, {"entityType", "booking"}};
  const Booking read = Value(Read<Booking>(booking));
  EXPECT_EQ(read.hotel_id, "h1");
  EXPECT_EQ(read.id, "b1");
  EXPECT_EQ(read.arrival, Time("2026-05-01T00:00:00Z")) << "the key has only the day";
}

TEST_F(ChangeTest, AnAdditionToAnAbsentNumberBeginsWithTheInitialiser) {
  Store(OldItem("1"));
  const auto add = Changes<Task>().Add<&Task::priority>(1);
  EXPECT_EQ(Value(table().Update(Task{.id = "1"}, add)).priority, 4);
  EXPECT_EQ(Value(table().Update(Task{.id = "1"}, add)).priority, 5);
  EXPECT_EQ(StoredTask("1").at("GSI1PK"), AttributeValue("PRIORITY#05"));
}

TEST_F(ChangeTest, AnItemWithoutAVersionHasTheVersion0) {
  Store(OldItem("1"));
  Task task = Value(table().Get(Task{.id = "1"}));
  task.owner = "Ann";
  EXPECT_THAT(table().Put(task), IsOk());
  EXPECT_THAT(table().Put(task), StatusIs(kConflict, Says("task", "has version 1, not 0")));
  Store(OldItem("2"));
  const auto change = Changes<Task>().Set<&Task::owner>("Ann").IfVersion(0);
  EXPECT_EQ(Value(table().Update(Task{.id = "2"}, change)).version, 1);
  EXPECT_THAT(table().Update(Task{.id = "2"}, change),
              StatusIs(kConflict, Says("task", "has version 1, not 0")));
}

TEST_F(ChangeTest, AnAbsentRequiredAttributeIsAnError) {
  Item item = OldItem("1");
  item.erase("name");
  Store(item);
  const auto is_refused =
      StatusIs(kCorruption, "task \"TASKS\" \"TASK#1\": attribute name is missing");
  EXPECT_THAT(table().Get(Task{.id = "1"}), is_refused);
  EXPECT_THAT(table().Update(Task{.id = "2"}, Changes<Task>().OrCreate()),
              StatusIs(kValidation, Says("task", "name", "is missing")));
  EXPECT_EQ(StoredTask("2"), Item());
}

// The error of an update means that the item is unchanged.
TEST_F(ChangeTest, AnUpdateThatReportsAnErrorHasChangedNothing) {
  Item damaged = OldItem("1");
  damaged.insert_or_assign("state", 7);
  Store(damaged);
  EXPECT_THAT(table().Update(Task{.id = "1"}, Changes<Task>().Set<&Task::owner>("Ann")),
              StatusIs(kCorruption, Says("task", "state", "has type N, not S")));
  EXPECT_EQ(StoredTask("1"), damaged);

  Task task = Value(table().Create(Task{.id = "2", .name = "Sand", .priority = 99}));
  const Item before = StoredTask("2");
  EXPECT_THAT(table().Update(task, Changes<Task>().Add<&Task::priority>(1)),
              StatusIs(kValidation, Says("task", "priority", "2 digits")));
  EXPECT_THAT(table().Update(task, Changes<Task>().Add<&Task::priority>(1LL << 40)),
              StatusIs(kValidation, Says("task", "priority", "whole number")));
  EXPECT_EQ(StoredTask("2"), before);
}

TEST_F(ChangeTest, AnUpdateMayRepairAnItem) {
  Item damaged = OldItem("1");
  damaged.insert_or_assign("state", 7);
  Store(damaged);
  EXPECT_EQ(Value(table().Update(Task{.id = "1"}, Changes<Task>().Set<&Task::state>("open"))).state,
            "open");
}

// The stored guest does not fit into the key of GSI1. An update of other attributes succeeds.
TEST_F(ChangeTest, AValueThatDoesNotFitIntoAKeyKeepsTheItemOutOfTheIndex) {
  const Booking booking = Value(table().Create(NewBooking("b1")));
  const Item key = Key("HOTEL#h1", "BOOKING#2026-05-01#b1");
  Item item = Stored(key);
  item.insert_or_assign("guestId", "g#1");
  item.erase("GSI1PK");
  item.erase("GSI1SK");
  Store(item);
  EXPECT_THAT(table().Update(booking, Changes<Booking>().Set<&Booking::state>(BookingState::kPaid)),
              IsOk());
  EXPECT_EQ(Stored(key).count("GSI1PK"), 0U);
}

// A struct of an older program, which keeps the attributes that a newer program has added.
struct Label {
  std::string text = {};
  Item rest = {};

  friend bool operator==(const Label&, const Label&) = default;
};
constexpr auto DescribeAttributes(const Label*) {
  return DefineAttributes<Label>({Attribute<&Label::text>("text"), Rest<&Label::rest>()});
}
struct Box {
  std::string id = {};
  std::optional<std::string> color = {};
  Label label = {};
  Item rest = {};

  friend bool operator==(const Box&, const Box&) = default;
};
constexpr auto DescribeEntity(const Box*) {
  return DefineEntity<Box>("box",
                           {Rest<&Box::rest>(), Attribute<&Box::id>("boxId").InKeyOnly(),
                            Attribute<&Box::color>("color"), Attribute<&Box::label>("label")},
                           {PrimaryKey("BOX#{boxId}", "BOX"), IndexKey("GSI1", "COLOR#{color}")});
}

class RestTest : public EntityTest {
 protected:
  const Item newer_ = {{"PK", "BOX#1"},       {"SK", "BOX"},
                       {"entityType", "box"}, {"label", Map{{"text", "Tea"}, {"font", "serif"}}},
                       {"weight", 7},         {"*", "a star"},
                       {"GSI2PK", "WEIGHT#7"}};
};

TEST_F(RestTest, HoldsTheAttributesThatTheEntityDoesNotDeclare) {
  Store(newer_);
  const Box box = Value(table().Get(Box{.id = "1"}));
  EXPECT_EQ(box.rest, (Item{{"weight", 7}, {"*", "a star"}, {"GSI2PK", "WEIGHT#7"}}));
  EXPECT_EQ(box.label.rest, (Item{{"font", "serif"}}));
}

TEST_F(RestTest, APutKeepsThem) {
  Store(newer_);
  Box box = Value(table().Get(Box{.id = "1"}));
  EXPECT_THAT(table().Put(box), IsOk());
  EXPECT_EQ(Stored(Key("BOX#1", "BOX")), newer_);
  box.rest.insert_or_assign("color", "a declared name");
  box.rest.insert_or_assign("entityType", "another");
  EXPECT_THAT(table().Put(box), IsOk());
  EXPECT_EQ(Stored(Key("BOX#1", "BOX")), newer_);
}

TEST_F(RestTest, AnUpdateKeepsUnknownAttributesWithAndWithoutRest) {
  Store(newer_);
  EXPECT_THAT(table().Update(Box{.id = "1"}, Changes<Box>().Set<&Box::color>("red")), IsOk());
  Item expected = newer_;
  expected.insert_or_assign("color", "red");
  expected.insert_or_assign("GSI1PK", "COLOR#red");
  EXPECT_EQ(Stored(Key("BOX#1", "BOX")), expected);

  Item room = Value(ToItem(TheRoom()));
  room.insert_or_assign("floor", 3);
  Store(room);
  EXPECT_THAT(table().Update(TheRoom(), Changes<Room>().Set<&Room::price>(120)), IsOk());
  EXPECT_EQ(Stored(Key("HOTEL#h1", "ROOM#0101")), room);
}

TEST_F(RestTest, AnUpdateCannotNameTheRest) {
  EXPECT_THAT(table().Update(Box{.id = "1"}, Changes<Box>().Set<&Box::rest>(Item())),
              StatusIs(kValidation, Says("box", "read-only")));
}

}  // namespace
}  // namespace dolmen::hotel
