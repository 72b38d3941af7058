// Tests of PutItem.
// https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_PutItem.html

#include <string>

#include "tests/behaviour/fixture.h"

namespace dolmen::behaviour {
namespace {

using PutItemTest = TableTest;

// A put replaces the whole item. It merges no attributes.
TEST_F(PutItemTest, ReplacesTheItem) {
  const Item key = {{"PK", UniqueKey()}, {"SK", "s"}};
  Item first = key, second = key;
  first["old"] = 1;
  second["new"] = 2;
  Put(first);
  Put(second);
  EXPECT_EQ(Get(key), second);
}

// Each key attribute must exist and have the type that the key schema gives.
TEST_F(PutItemTest, RejectsAnItemWithoutAKeyAttributeOrWithOneOfTheWrongType) {
  EXPECT_THAT(table().PutItem({.item = {{"PK", "p"}}}),
              StatusIs(kValidation,
                       "One or more parameter values were invalid: Missing the key SK "
                       "in the item"));
  EXPECT_THAT(table().PutItem({.item = {}}),
              StatusIs(kValidation, HasSubstr("Missing the key PK")));
  EXPECT_THAT(table().PutItem({.item = {{"PK", "p"}, {"SK", 1}}}),
              StatusIs(kValidation,
                       "One or more parameter values were invalid: Type mismatch for "
                       "key SK expected: S actual: N"));
}

// A key attribute is never empty. Other attributes may be empty (since May 2020).
TEST_F(PutItemTest, RejectsAnEmptyKeyAttributeAndAcceptsOtherEmptyAttributes) {
  EXPECT_THAT(table().PutItem({.item = {{"PK", ""}, {"SK", "s"}}}),
              StatusIs(kValidation,
                       "One or more parameter values are not valid. The AttributeValue for a key "
                       "attribute cannot contain an empty string value. Key: PK"));
  EXPECT_THAT(table().PutItem({.item = {{"PK", UniqueKey()}, {"SK", "s"}, {"other", ""}}}), IsOk());
}

TEST_F(PutItemTest, RejectsAPartitionKeyAbove2048BytesAndASortKeyAbove1024Bytes) {
  const auto put = [](std::size_t partition, std::size_t sort) {
    return table().PutItem(
        {.item = {{"PK", std::string(partition, 'p')}, {"SK", std::string(sort, 's')}}});
  };
  EXPECT_THAT(put(2048, 1024), IsOk());
  EXPECT_THAT(put(2049, 1),
              StatusIs(kValidation,
                       "One or more parameter values were invalid: Size of hashkey has "
                       "exceeded the maximum size limit of2048 bytes"));
  EXPECT_THAT(put(1, 1025),
              StatusIs(kValidation,
                       "One or more parameter values were invalid: Aggregated size of "
                       "all range keys has exceeded the size limit of 1024 bytes"));
}

// The size of an item includes its attribute names.
TEST_F(PutItemTest, RejectsAnItemAbove400KB) {
  const std::string key = UniqueKey();
  const std::size_t names_and_key = 2 + key.size() + 2 + 1 + 4;  // "PK", key; "SK", "s"; "body"
  const std::string body(409'600 - names_and_key, 'x');
  EXPECT_THAT(table().PutItem({.item = {{"PK", key}, {"SK", "s"}, {"body", body}}}), IsOk());
  EXPECT_THAT(table().PutItem({.item = {{"PK", key}, {"SK", "s"}, {"body", body + "x"}}}),
              StatusIs(kValidation, "Item size has exceeded the maximum allowed size"));
  EXPECT_EQ(Get({{"PK", key}, {"SK", "s"}}).at("body"), AttributeValue(body));
}

// A rejected put leaves the stored item as it was.
TEST_F(PutItemTest, RejectsInvalidUtf8EmptySetsAndDeepNesting) {
  const Item key = {{"PK", UniqueKey()}, {"SK", "s"}};
  Put(key);
  const auto put = [&](AttributeValue value) {
    Item item = key;
    item["v"] = std::move(value);
    return table().PutItem({.item = item});
  };
  EXPECT_THAT(put("\xff not UTF-8"), StatusIs(kValidation, HasSubstr("UTF-8")));
  EXPECT_THAT(put(StringSet{}), StatusIs(kValidation, HasSubstr("may not be empty")));
  AttributeValue nested = 1;
  for (int level = 0; level < 40; ++level) nested = List{nested};
  EXPECT_THAT(put(nested), StatusIs(kValidation, HasSubstr("Nesting Levels have exceeded")));
  EXPECT_EQ(Get(key), key);
}

TEST_F(PutItemTest, WritesOnlyIfTheConditionHolds) {
  const Item key = {{"PK", UniqueKey()}, {"SK", "s"}};
  const PutItemInput create = {.item = key, .condition = "attribute_not_exists(PK)"};
  EXPECT_THAT(table().PutItem(create), IsOk());
  EXPECT_THAT(table().PutItem(create),
              StatusIs(StatusCode::kConditionalCheckFailed, "The conditional request failed"));
}

// Tests ReturnValuesOnConditionCheckFailure. The error holds the item that failed the condition, or
// no item if none exists.
TEST_F(PutItemTest, ReturnsTheItemThatFailedTheCondition) {
  Item item = {{"PK", UniqueKey()}, {"SK", "s"}, {"version", 3}};
  const PutItemInput input = {.item = item,
                              .condition = "version = :v",
                              .values = {{":v", 2}},
                              .return_item_on_condition_failure = true};
  const Status absent = table().PutItem(input).status();
  EXPECT_EQ(absent.code(), StatusCode::kConditionalCheckFailed);
  EXPECT_EQ(absent.item(), nullptr);
  Put(item);
  const Status failed = table().PutItem(input).status();
  ASSERT_NE(failed.item(), nullptr);
  EXPECT_THAT(failed.item()->Copy(), IsOkAndHolds(item));
}

// ALL_OLD returns the replaced item. It returns no Attributes if no item existed.
TEST_F(PutItemTest, ReturnsTheOldItem) {
  Item first = {{"PK", UniqueKey()}, {"SK", "s"}, {"n", 1}};
  const auto created = table().PutItem({.item = first, .return_values = ReturnValues::kAllOld});
  ASSERT_THAT(created, IsOk());
  EXPECT_FALSE(created->attributes);
  Item second = first;
  second["n"] = 2;
  EXPECT_EQ(Returned(table().PutItem({.item = second, .return_values = ReturnValues::kAllOld})),
            first);
  EXPECT_THAT(table().PutItem({.item = first, .return_values = ReturnValues::kAllNew}),
              StatusIs(kValidation, "ReturnValues can only be ALL_OLD or NONE"));
}

// Each placeholder must be defined and used. A request with names or values must have an
// expression.
TEST_F(PutItemTest, RejectsUndefinedAndUnusedPlaceholders) {
  const Item item = {{"PK", UniqueKey()}, {"SK", "s"}};
  EXPECT_THAT(table().PutItem({.item = item, .condition = "#a = :b", .values = {{":b", 1}}}),
              StatusIs(kValidation, HasSubstr("An expression attribute name used in the document "
                                              "path is not defined; attribute name: #a")));
  EXPECT_THAT(table().PutItem({.item = item, .condition = "a = :b"}),
              StatusIs(kValidation, HasSubstr("An expression attribute value used in expression is "
                                              "not defined; attribute value: :b")));
  EXPECT_THAT(table().PutItem(
                  {.item = item, .condition = "attribute_exists(a)", .names = {{"#unused", "x"}}}),
              StatusIs(kValidation,
                       "Value provided in ExpressionAttributeNames unused in expressions: "
                       "keys: {#unused}"));
  EXPECT_THAT(table().PutItem({.item = item, .names = {{"#a", "x"}}}),
              StatusIs(kValidation,
                       "ExpressionAttributeNames can only be specified when using expressions"));
  EXPECT_EQ(Get(item), Item{});
}

TEST_F(PutItemTest, TheMessageSaysWhyAConditionExpressionIsInvalid) {
  const Item item = {{"PK", UniqueKey()}, {"SK", "s"}};
  const auto put = [&](const std::string& condition) {
    return table().PutItem({.item = item, .condition = condition, .values = {{":v", 1}}});
  };
  EXPECT_THAT(put("a = "),
              StatusIs(kValidation, HasSubstr("Invalid ConditionExpression: Syntax error; token: "
                                              "\"<EOF>\"")));
  EXPECT_THAT(put("status = :v"),
              StatusIs(kValidation,
                       "Invalid ConditionExpression: Attribute name is a reserved "
                       "keyword; reserved keyword: status"));
  EXPECT_THAT(put("nonsense(a, :v)"),
              StatusIs(kValidation,
                       "Invalid ConditionExpression: Invalid function name; function: nonsense"));
  EXPECT_THAT(put("\xff = :v"), StatusIs(kValidation, HasSubstr("Syntax error")));
}

}  // namespace
}  // namespace dolmen::behaviour
