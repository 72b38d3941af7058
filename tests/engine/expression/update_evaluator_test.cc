// Tests of updates that copy much, and of updates of damaged items. The tables in
// tests/behaviour/update_rules_test.cc test the results of updates.

#include "engine/expression/update_evaluator.h"

#include <gmock/gmock.h>

#include <string>

#include "tests/engine/expression/bound_update.h"
#include "tests/support/items.h"

namespace dolmen::engine {
namespace {

using test::IsOk;
using test::StatusIs;

// A short update can copy a large attribute hundreds of times. The evaluator must stop before the
// copies exhaust the memory.
TEST(UpdateEvaluatorTest, StopsCopyingOnceTheItemIsTooLarge) {
  const Item item = {{"a", List(100'000, AttributeValue(1))}};
  std::string text = "SET b=a";
  for (int i = 0; i < 250; ++i) text += ",b" + std::to_string(i) + "=a";
  EXPECT_THAT(BoundUpdate(text, {}, {}).Apply(item),
              StatusIs(StatusCode::kValidation,
                       "Item size to update has exceeded the maximum allowed size"));

  StringSet large;
  for (int i = 0; i < 100'000; ++i) large.insert(std::to_string(100'000 + i));
  std::string add = "ADD a0 :v";
  for (int i = 1; i < 300; ++i) add += ",a" + std::to_string(i) + " :v";
  EXPECT_THAT(BoundUpdate(add, {{":v", large}}, {}).Apply({}),
              StatusIs(StatusCode::kValidation,
                       "Item size to update has exceeded the maximum allowed size"));
}

TEST(UpdateEvaluatorTest, CopiesValuesUpToTheItemLimit) {
  const Item nulls = {{"b", List(150'000, AttributeValue(nullptr))}};
  EXPECT_THAT(BoundUpdate("SET b = list_append(b, b)", {}, {}).Apply(nulls), IsOk());
}

TEST(UpdateEvaluatorTest, ADamagedItemIsCorruption) {
  std::string bytes;
  ASSERT_THAT(EncodeItem({{"a", List{1, "x"}}}, &bytes), IsOk());
  bytes.back() = '\xFF';  // not UTF-8
  const BoundUpdate update("SET b = a", {}, {});
  std::string changed;
  EXPECT_THAT(update->Apply(*ItemView::Parse(bytes), &changed),
              StatusIs(StatusCode::kCorruption, testing::_));
}

}  // namespace
}  // namespace dolmen::engine
