// Tests of the condition of UpdateItem. update_rules_test.cc and update_error_rules_test.cc test
// each kind of update.
// https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_UpdateItem.html

#include "tests/behaviour/one_item.h"

namespace dolmen::behaviour {
namespace {

class UpdateItemTest : public OneItemTest {};

// The condition sees the item before the update.
TEST_F(UpdateItemTest, UpdatesOnlyIfTheConditionHolds) {
  PutWith({{"version", 1}});
  const UpdateItemInput input = {.key = Key(),
                                 .update = "SET version = version + :one",
                                 .condition = "version = :expected",
                                 .values = {{":one", 1}, {":expected", 1}}};
  EXPECT_THAT(table().UpdateItem(input), IsOk());
  EXPECT_THAT(table().UpdateItem(input), FailsCondition());
  EXPECT_EQ(Attributes(), (Map{{"version", 2}}));
}

// The condition is evaluated on the old item. If the condition fails, an error of the update is not
// reported.
TEST_F(UpdateItemTest, TheConditionIsTestedBeforeTheUpdate) {
  PutWith({{"n", 1}, {"s", "text"}});
  UpdateItemInput input{.key = Key(),
                        .update = "SET n = s + :one",  // fails: s is a string
                        .condition = "n = :two",
                        .values = {{":one", 1}, {":two", 2}},
                        .return_item_on_condition_failure = true};
  const Status failed = table().UpdateItem(input).status();
  EXPECT_THAT(failed, FailsCondition());
  ASSERT_NE(failed.item(), nullptr);
  EXPECT_EQ(*failed.item()->Copy(), With({{"n", 1}, {"s", "text"}}));
  EXPECT_THAT(table().UpdateItem({.key = Key("absent"), .condition = "attribute_exists(PK)"}),
              FailsCondition());
  EXPECT_EQ(Get(Key("absent")), Item());
}

}  // namespace
}  // namespace dolmen::behaviour
