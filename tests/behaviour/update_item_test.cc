// Tests of UpdateItem. update_rules_test.cc tests each kind of expression.
// https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_UpdateItem.html

#include <string>

#include "tests/behaviour/fixture.h"

namespace dolmen::behaviour {
namespace {

class UpdateItemTest : public TableTest {
 protected:
  // Creates an item with these attributes and a unique key. Returns its key.
  static Item Make(const Item& attributes) {
    Item item = {{"PK", UniqueKey()}, {"SK", "s"}};
    const Item key = item;
    item.insert(attributes.begin(), attributes.end());
    Put(item);
    return key;
  }

  // Updates the item of `key`. Returns the updated item without its key attributes.
  static Item Updated(const Item& key, const std::string& update, const Values& values = {}) {
    EXPECT_THAT(table().UpdateItem({.key = key, .update = update, .values = values}), IsOk());
    return Attributes(Get(key));
  }
  static Item Attributes(Item item) {
    item.erase("PK");
    item.erase("SK");
    return item;
  }
};

// The new item has the key and the attributes that the update sets.
TEST_F(UpdateItemTest, CreatesAnAbsentItem) {
  const Item key = {{"PK", UniqueKey()}, {"SK", "s"}};
  EXPECT_EQ(Updated(key, "SET n = :n", {{":n", 1}}), (Item{{"n", 1}}));
  const Item bare = {{"PK", UniqueKey()}, {"SK", "s"}};
  EXPECT_THAT(table().UpdateItem({.key = bare}), IsOk());
  EXPECT_EQ(Get(bare), bare);
}

TEST_F(UpdateItemTest, SetsAndRemovesAttributes) {
  const Item key = Make({{"a", 1}, {"b", 2}});
  EXPECT_EQ(Updated(key, "SET a = b, b = a, c = :c REMOVE nothere", {{":c", "new"}}),
            (Item{{"a", 2}, {"b", 1}, {"c", "new"}}));
  EXPECT_EQ(Updated(key, "REMOVE a, b"), (Item{{"c", "new"}}));
}

TEST_F(UpdateItemTest, ComputesInDecimalArithmetic) {
  const Item key = Make({{"n", 1}});
  EXPECT_EQ(Updated(key, "SET n = n + :d", {{":d", *Number::Parse("0.1")}}),
            (Item{{"n", *Number::Parse("1.1")}}));
  EXPECT_EQ(Updated(key, "SET n = if_not_exists(n, :zero) - :one, m = if_not_exists(m, :zero)",
                    {{":zero", 0}, {":one", 1}}),
            (Item{{"m", 0}, {"n", *Number::Parse("0.1")}}));
}

// The key identifies the item, so an update must not change a key attribute.
TEST_F(UpdateItemTest, RejectsAnUpdateOfTheKey) {
  const Item key = Make({});
  EXPECT_THAT(table().UpdateItem({.key = key, .update = "SET SK = :s", .values = {{":s", "t"}}}),
              StatusIs(kValidation,
                       "One or more parameter values were invalid: Cannot update "
                       "attribute SK. This attribute is part of the key"));
}

TEST_F(UpdateItemTest, RejectsInvalidUpdatesAndSaysWhy) {
  const Item key = Make({{"s", "text"}, {"n", *Number::Parse("9e125")}});
  const auto update = [&](const std::string& expression, const Values& values = {}) {
    return table().UpdateItem({.key = key, .update = expression, .values = values});
  };
  EXPECT_THAT(update("SET a = nothere"),
              StatusIs(kValidation,
                       "The provided expression refers to an attribute that does not "
                       "exist in the item"));
  EXPECT_THAT(update("SET s = s + :one", {{":one", 1}}),
              StatusIs(kValidation,
                       "An operand in the update expression has an incorrect data "
                       "type"));
  EXPECT_THAT(update("SET a.b = :one", {{":one", 1}}),
              StatusIs(kValidation,
                       "The document path provided in the update expression is invalid "
                       "for update"));
  EXPECT_THAT(update("SET n = n + n"), StatusIs(kValidation, HasSubstr("Number overflow")));
  EXPECT_THAT(update("SET s = :large", {{":large", std::string(409'600, 'x')}}),
              StatusIs(kValidation, "Item size to update has exceeded the maximum allowed size"));
  EXPECT_THAT(update("SET a = :x, a = :x", {{":x", 1}}),
              StatusIs(kValidation, HasSubstr("Two document paths overlap with each other")));
  EXPECT_EQ(Attributes(Get(key)).size(), 2u);
}

TEST_F(UpdateItemTest, ReturnsTheAttributesThatReturnValuesNames) {
  const Item key = Make({{"a", 1}, {"b", Map{{"c", 2}, {"d", 3}}}});
  const auto update = [&](ReturnValues wanted) {
    return Returned(table().UpdateItem({.key = key,
                                        .update = "SET a = a + :one, b.c = b.c + :one",
                                        .values = {{":one", 1}},
                                        .return_values = wanted}));
  };
  EXPECT_EQ(update(ReturnValues::kNone), Item{});
  EXPECT_EQ(update(ReturnValues::kUpdatedOld), (Item{{"a", 2}, {"b", Map{{"c", 3}}}}));
  EXPECT_EQ(update(ReturnValues::kUpdatedNew), (Item{{"a", 4}, {"b", Map{{"c", 5}}}}));
  EXPECT_EQ(Attributes(update(ReturnValues::kAllOld)),
            (Item{{"a", 4}, {"b", Map{{"c", 5}, {"d", 3}}}}));
  EXPECT_EQ(Attributes(update(ReturnValues::kAllNew)),
            (Item{{"a", 6}, {"b", Map{{"c", 7}, {"d", 3}}}}));
}

// The condition sees the item before the update.
TEST_F(UpdateItemTest, UpdatesOnlyIfTheConditionHolds) {
  const Item key = Make({{"version", 1}});
  const UpdateItemInput input = {.key = key,
                                 .update = "SET version = version + :one",
                                 .condition = "version = :expected",
                                 .values = {{":one", 1}, {":expected", 1}}};
  EXPECT_THAT(table().UpdateItem(input), IsOk());
  EXPECT_THAT(table().UpdateItem(input), StatusIs(StatusCode::kConditionalCheckFailed, testing::_));
  EXPECT_EQ(Attributes(Get(key)), (Item{{"version", 2}}));
}

}  // namespace
}  // namespace dolmen::behaviour
