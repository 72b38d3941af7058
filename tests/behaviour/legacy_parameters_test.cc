// Tests of ConditionTree and UpdateTree, which build trees from the parameters that DynamoDB had
// before expressions (database/legacy_parameters.h). tests/wire tests these parameters in requests.
// This file tests inputs that only a C++ caller can pass, because no request can contain them.

#include <database/legacy_parameters.h>

#include <string>
#include <vector>

#include "tests/behaviour/one_item.h"

namespace dolmen::behaviour {
namespace {

using LegacyParametersTest = OneItemTest;

Status TreeOf(Comparison comparison, std::size_t values) {
  const AttributeCondition condition = {"a", comparison, std::vector<AttributeValue>(values, "x")};
  return ConditionTree({&condition, 1}, ConditionalOperator::kAnd).status();
}

TEST_F(LegacyParametersTest, AConditionNeedsAsManyValuesAsItsComparisonTakes) {
  const auto takes = [](Comparison comparison, std::size_t min, std::size_t max) {
    for (std::size_t values = 0; values < 5; ++values) {
      const Status status = TreeOf(comparison, values);
      SCOPED_TRACE(static_cast<int>(comparison));
      SCOPED_TRACE(values);
      if (values >= min && values <= max) {
        EXPECT_THAT(status, IsOk());
      } else {
        EXPECT_THAT(status,
                    IsInvalid("A condition does not have as many values as its comparison takes"));
      }
    }
  };
  takes(Comparison::kNull, 0, 0);
  takes(Comparison::kNotNull, 0, 0);
  takes(Comparison::kBetween, 2, 2);
  takes(Comparison::kIn, 1, 5);
  for (const Comparison comparison :
       {Comparison::kEqual, Comparison::kNotEqual, Comparison::kLess, Comparison::kLessOrEqual,
        Comparison::kGreater, Comparison::kGreaterOrEqual, Comparison::kBeginsWith,
        Comparison::kContains, Comparison::kNotContains}) {
    takes(comparison, 1, 1);
  }
}

TEST_F(LegacyParametersTest, PutAndAddNeedAValueAndDeleteNeedsNone) {
  PutWith({{"a", 1}});
  using Action = AttributeUpdate::Action;
  const auto update = [&](Action action) {
    const AttributeUpdate of_a = {"a", action};
    return Update(UpdateExpression(UpdateTree({&of_a, 1})));
  };
  const auto refused = IsInvalidWith("An attribute is put or added without a value");
  EXPECT_THAT(update(Action::kPut), refused);
  EXPECT_THAT(update(Action::kAdd), refused);
  EXPECT_EQ(Attributes(), (Map{{"a", 1}}));
  EXPECT_THAT(update(Action::kDelete), IsOk());
  EXPECT_EQ(Attributes(), Map());
}

}  // namespace
}  // namespace dolmen::behaviour
