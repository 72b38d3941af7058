// Tests of expressions that are prepared once and used often, and of absent and empty expressions.

#include <string>

#include "tests/behaviour/one_item.h"

namespace dolmen::behaviour {
namespace {

class PreparedExpressionTest : public OneItemTest {};

TEST_F(PreparedExpressionTest, APreparedExpressionTakesOtherNamesAndValuesAtEachUse) {
  const auto is = ConditionExpression::Prepare("#a = :v");
  const auto set = UpdateExpression::Prepare("SET #a = :new");
  ASSERT_THAT(is, IsOk());
  ASSERT_THAT(set, IsOk());
  PutWith({{"x", 1}, {"y", 2}});
  const auto swap = [&](const std::string& name, int from, int to) {
    return table().UpdateItem({.key = Key(),
                               .update = *set,
                               .condition = *is,
                               .names = {{"#a", name}},
                               .values = {{":v", from}, {":new", to}}});
  };
  EXPECT_THAT(swap("x", 1, 10), IsOk());
  EXPECT_THAT(swap("y", 2, 20), IsOk());
  EXPECT_THAT(swap("y", 2, 30), FailsCondition());
  EXPECT_EQ(Attributes(), (Map{{"x", 10}, {"y", 20}}));
}

TEST_F(PreparedExpressionTest, EveryKindOfExpressionCanBePrepared) {
  PutWith({{"x", 1}, {"y", 2}});
  const auto condition = KeyConditionExpression::Prepare("PK = :pk AND SK >= :sk");
  const auto filter = FilterExpression::Prepare("x < y");
  const auto projection = ProjectionExpression::Prepare("y");
  ASSERT_THAT(condition, IsOk());
  ASSERT_THAT(filter, IsOk());
  ASSERT_THAT(projection, IsOk());
  const auto page = table().Query({.key_condition = *condition,
                                   .filter = *filter,
                                   .projection = *projection,
                                   .values = {{":pk", pk()}, {":sk", "a"}}});
  ASSERT_THAT(page, IsOk());
  ASSERT_EQ(page->size(), 1U);
  EXPECT_EQ(*(*page)[0].Copy(), (Map{{"y", 2}}));
}

TEST_F(PreparedExpressionTest, PrepareRejectsAnInvalidText) {
  EXPECT_THAT(
      ConditionExpression::Prepare("a ="),
      IsInvalid("Invalid ConditionExpression: Syntax error; token: \"<EOF>\", near: \"=\""));
  EXPECT_THAT(FilterExpression::Prepare("a ="), IsInvalidWith("Invalid FilterExpression: "));
  EXPECT_THAT(KeyConditionExpression::Prepare("a ="),
              IsInvalidWith("Invalid KeyConditionExpression: "));
  EXPECT_THAT(ProjectionExpression::Prepare("a.b,"),
              IsInvalidWith("Invalid ProjectionExpression: "));
  EXPECT_THAT(UpdateExpression::Prepare("SET"), IsInvalidWith("Invalid UpdateExpression: "));
  EXPECT_THAT(ConditionExpression::Prepare(""),
              IsInvalid("Invalid ConditionExpression: The expression can not be empty;"));
}

TEST_F(PreparedExpressionTest, TheOperationRejectsMissingOrWrongValuesOfAPreparedExpression) {
  const auto prepared = ConditionExpression::Prepare("a < :v");
  ASSERT_THAT(prepared, IsOk());
  EXPECT_THAT(table().DeleteItem({.key = Key(), .condition = *prepared}),
              IsInvalid("Invalid ConditionExpression: An expression attribute value used in "
                        "expression is not defined; attribute value: :v"));
  EXPECT_THAT(table().DeleteItem({.key = Key(), .condition = *prepared, .values = {{":v", true}}}),
              IsInvalidWith("operand type: BOOL"));
}

TEST_F(PreparedExpressionTest, AnEmptyTextIsRejectedAndADefaultExpressionIsNone) {
  const std::string empty = "The expression can not be empty;";
  EXPECT_THAT(PutIf(""), IsInvalid("Invalid ConditionExpression: " + empty));
  EXPECT_THAT(Update(""), IsInvalid("Invalid UpdateExpression: " + empty));
  EXPECT_THAT(table().GetItem({.key = Key(), .projection = ""}),
              IsInvalid("Invalid ProjectionExpression: " + empty));
  EXPECT_THAT(table().Query({.key_condition = Partition(pk()), .filter = ""}),
              IsInvalid("Invalid FilterExpression: " + empty));
  EXPECT_THAT(table().Query({.key_condition = ""}),
              IsInvalid("Invalid KeyConditionExpression: " + empty));
  EXPECT_THAT(table().PutItem({.item = Key(), .condition = ConditionExpression()}), IsOk());
}

}  // namespace
}  // namespace dolmen::behaviour
