// Tests of DeleteItem.
// https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_DeleteItem.html

#include "tests/behaviour/fixture.h"

namespace dolmen::behaviour {
namespace {

using DeleteItemTest = TableTest;

TEST_F(DeleteItemTest, SucceedsForAnAbsentItem) {
  const Item key = {{"PK", UniqueKey()}, {"SK", "s"}};
  Put(key);
  EXPECT_THAT(table().DeleteItem({.key = key}), IsOk());
  EXPECT_EQ(Get(key), Item{});
  EXPECT_THAT(table().DeleteItem({.key = key}), IsOk());
}

TEST_F(DeleteItemTest, ReturnsTheOldItem) {
  Item item = {{"PK", UniqueKey()}, {"SK", "s"}};
  const Item key = item;
  item["n"] = 1;
  Put(item);
  const DeleteItemInput input = {.key = key, .return_values = ReturnValues::kAllOld};
  EXPECT_EQ(Returned(table().DeleteItem(input)), item);
  EXPECT_FALSE(table().DeleteItem(input)->attributes);
}

// A condition on an absent item sees no attributes.
TEST_F(DeleteItemTest, EvaluatesTheConditionForAnAbsentItem) {
  const Item key = {{"PK", UniqueKey()}, {"SK", "s"}};
  EXPECT_THAT(table().DeleteItem({.key = key, .condition = "attribute_not_exists(PK)"}), IsOk());
  EXPECT_THAT(table().DeleteItem({.key = key, .condition = "attribute_exists(PK)"}),
              StatusIs(StatusCode::kConditionalCheckFailed, testing::_));
}

}  // namespace
}  // namespace dolmen::behaviour
