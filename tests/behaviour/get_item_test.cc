// Tests of GetItem.
// https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_GetItem.html

#include "tests/behaviour/fixture.h"

namespace dolmen::behaviour {
namespace {

using GetItemTest = TableTest;

// A read of an absent item succeeds and returns no item.
TEST_F(GetItemTest, ReturnsNothingForAnAbsentKey) {
  const auto got = table().GetItem({.key = {{"PK", UniqueKey()}, {"SK", "s"}}});
  ASSERT_THAT(got, IsOk());
  EXPECT_FALSE(got->item);
}

TEST_F(GetItemTest, RejectsAKeyThatIsNotExactlyTheKeyAttributes) {
  for (const Item& key : {Item{}, Item{{"PK", "p"}}, Item{{"PK", "p"}, {"SK", "s"}, {"x", 1}},
                          Item{{"PK", "p"}, {"other", "s"}}, Item{{"PK", "p"}, {"SK", 1}},
                          Item{{"PK", "p"}, {"SK", List{"s"}}}}) {
    EXPECT_THAT(table().GetItem({.key = key}), StatusIs(kValidation, kKeyMismatch));
  }
  EXPECT_THAT(table().GetItem({.key = {{"PK", "p"}, {"SK", ""}}}),
              StatusIs(kValidation, HasSubstr("cannot contain an empty string value. Key: SK")));
  EXPECT_THAT(table().GetItem({.key = {{"PK", "\xff"}, {"SK", "s"}}}),
              StatusIs(kValidation, HasSubstr("UTF-8")));
}

// A nested attribute is returned within the map or list that holds it. The result leaves out
// attributes that do not exist.
TEST_F(GetItemTest, ReturnsOnlyTheProjectedAttributes) {
  const Item key = {{"PK", UniqueKey()}, {"SK", "s"}};
  Item item = key;
  item["a"] = Map{{"b", 1}, {"c", 2}};
  item["l"] = List{10, 11, 12};
  item["x"] = "y";
  Put(item);
  const auto project = [&](const std::string& projection, const Names& names = {}) {
    const auto got = table().GetItem({.key = key, .projection = projection, .names = names});
    EXPECT_THAT(got, IsOk());
    return got.ok() && got->item ? *got->item->Copy() : Item{{"no", "item"}};
  };
  EXPECT_EQ(project("x, a.b"), (Item{{"a", Map{{"b", 1}}}, {"x", "y"}}));
  EXPECT_EQ(project("l[2], l[0]"), (Item{{"l", List{10, 12}}}));
  EXPECT_EQ(project("#n, nothere", {{"#n", "x"}}), (Item{{"x", "y"}}));
  EXPECT_EQ(project("nothere"), Item{});  // the item exists without the attribute
  EXPECT_THAT(table().GetItem({.key = key, .projection = "a, a.b"}),
              StatusIs(kValidation,
                       "Invalid ProjectionExpression: Two document paths overlap with each other; "
                       "must remove or rewrite one of these paths; path one: [a], path two: [a, "
                       "b]"));
}

// Each read replaces the item of the output. A read that fails or finds no item clears the output.
TEST_F(GetItemTest, ReplacesTheItemOfAReusedOutput) {
  const Item key = {{"PK", UniqueKey()}, {"SK", "s"}};
  Item item = key;
  item["a"] = "long enough to need memory of its own";
  Put(item);
  GetItemOutput output;
  ASSERT_THAT(table().GetItem({.key = key}, &output), IsOk());
  EXPECT_EQ(*output.item->Copy(), item);
  ASSERT_THAT(table().GetItem({.key = key, .projection = "SK"}, &output), IsOk());
  EXPECT_EQ(*output.item->Copy(), (Item{{"SK", "s"}}));
  ASSERT_THAT(table().GetItem({.key = key}, &output), IsOk());
  ASSERT_THAT(table().GetItem({.key = {{"PK", UniqueKey()}, {"SK", "s"}}}, &output), IsOk());
  EXPECT_FALSE(output.item);
  ASSERT_THAT(table().GetItem({.key = key}, &output), IsOk());
  EXPECT_THAT(table().GetItem({.key = {}}, &output), StatusIs(kValidation, kKeyMismatch));
  EXPECT_FALSE(output.item);
}

}  // namespace
}  // namespace dolmen::behaviour
