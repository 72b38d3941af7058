// Tests of bound conditions: their paths, random conditions and damaged items. The tables in
// tests/behaviour/condition_rules_test.cc test the results of conditions.

#include "engine/expression/condition.h"

#include <gmock/gmock.h>

#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "engine/expression/syntax/parser.h"
#include "tests/support/items.h"
#include "tests/support/random.h"

namespace dolmen::engine {
namespace {

using test::IsOk;
using test::IsOkAndHolds;
using test::StoreItem;

// A bound filter and the objects that it borrows from.
class BoundFilter {
 public:
  explicit BoundFilter(std::string_view text, const Values& values = {})
      : values_(values),
        syntax_(*ParseCondition(text, ExpressionKind::kFilter)),
        placeholders_(*Placeholders::Make(names_, values_, {{ExpressionKind::kFilter, true}})),
        condition_(*BindCondition(syntax_, ExpressionKind::kFilter, placeholders_)) {}

  const Condition& operator*() const { return condition_; }

 private:
  Names names_;
  Values values_;
  ConditionSyntax syntax_;
  Placeholders placeholders_;
  Condition condition_;
};

// A random condition and its expected result. The condition compares the attributes t and f with
// the value `true`. In the item of the test, t is true and f is false.
struct RandomCondition {
  std::string text;
  bool value;
};

RandomCondition MakeRandomCondition(test::Random* random, int depth) {
  const std::size_t choice = random->Below(depth == 0 ? 2 : 6);
  if (choice < 2)
    return choice == 0 ? RandomCondition{"t=:t", true} : RandomCondition{"f=:t", false};
  if (choice < 4) {
    const RandomCondition inner = MakeRandomCondition(random, depth - 1);
    return {"NOT (" + inner.text + ")", !inner.value};
  }
  const bool is_and = choice == 4;
  RandomCondition all = {"", is_and};
  for (std::size_t i = 0, count = 2 + random->Below(3); i < count; ++i) {
    const RandomCondition part = MakeRandomCondition(random, depth - 1);
    all.text.append(i == 0 ? "" : is_and ? " AND " : " OR ").append("(" + part.text + ")");
    all.value = is_and ? all.value && part.value : all.value || part.value;
  }
  return all;
}

class RandomConditionTest : public test::SeededTest {};

TEST_F(RandomConditionTest, EvaluatesRandomConditions) {
  const StoredItem item = StoreItem({{"t", true}, {"f", false}});
  for (std::size_t i = 0; i < test::TestSteps(2000); ++i) {
    const RandomCondition condition = MakeRandomCondition(&random_, 4);
    const auto syntax = ParseCondition(condition.text, ExpressionKind::kFilter);
    if (!syntax.ok()) continue;  // the text is too long or has too many operators
    const BoundFilter filter(condition.text, {{":t", true}});
    EXPECT_THAT((*filter).Evaluate(item.view()), IsOkAndHolds(condition.value)) << condition.text;
  }
}

TEST(ConditionTest, OneSyntaxCanBeBoundToManyRequests) {
  const Result<ConditionSyntax> syntax = ParseCondition("#a = :v", ExpressionKind::kCondition);
  ASSERT_THAT(syntax, IsOk());
  const StoredItem item = StoreItem({{"x", 1}, {"y", 2}});
  for (const auto& [name, number, expected] :
       {std::tuple("x", 1, true), std::tuple("y", 1, false), std::tuple("y", 2, true)}) {
    const Names names = {{"#a", name}};
    const Values values = {{":v", number}};
    Result<Placeholders> placeholders =
        Placeholders::Make(names, values, {{ExpressionKind::kCondition, true}});
    const auto condition = BindCondition(*syntax, ExpressionKind::kCondition, *placeholders);
    ASSERT_THAT(condition, IsOk());
    EXPECT_THAT(condition->Evaluate(item.view()), IsOkAndHolds(expected)) << name << " " << number;
  }
}

TEST(ConditionTest, PathsReturnsEachPathInTheCondition) {
  const BoundFilter filter("a = :v AND (contains(b.c, d[0]) OR NOT size(a) > :v)", {{":v", 1}});
  std::vector<std::string> paths;
  for (const DocumentPath& path : (*filter).paths()) paths.push_back(path.ToString());
  EXPECT_THAT(paths, testing::ElementsAre("[a]", "[b, c]", "[d, [0]]", "[a]"));
}

// Evaluates the filter on an item after each single bit flip and each truncation. Each evaluation
// returns a result or kCorruption. The sanitizers report undefined behaviour.
TEST(ConditionTest, DamageIsReportedOrReadAsAbsence) {
  const BoundFilter filter(
      "contains(l, :v) OR contains(ss, :v) OR size(m) > :v OR m.k = :v OR l[1] = :v OR n < :v OR "
      "begins_with(s, s2) OR attribute_type(m.k.k, :t)",
      {{":v", 1}, {":t", "S"}});
  std::string bytes;
  ASSERT_THAT(EncodeItem({{"l", List{"x", List{2, 3}, Map{{"k", 5}}}},
                          {"m", Map{{"k", Map{{"k", "x"}}}}},
                          {"n", 12345},
                          {"s", "text"},
                          {"ss", NumberSet{2, 3}}},
                         &bytes),
              IsOk());
  int damaged = 0;
  for (std::size_t i = 5; i < bytes.size(); ++i) {
    for (int bit = 0; bit < 8; ++bit) {
      std::string copy = bytes;
      copy[i] = static_cast<char>(copy[i] ^ (1 << bit));
      const Result<ItemView> item = ItemView::Parse(copy);
      if (!item.ok()) continue;
      const Result<bool> result = (*filter).Evaluate(*item);
      if (!result.ok()) ++damaged;
      EXPECT_TRUE(result.ok() || result.status().code() == StatusCode::kCorruption);
    }
    const std::string cut = bytes.substr(0, i);
    if (const Result<ItemView> item = ItemView::Parse(cut); item.ok()) {
      (*filter).Evaluate(*item).status().IgnoreError();
    }
  }
  EXPECT_GT(damaged, 0);
}

}  // namespace
}  // namespace dolmen::engine
