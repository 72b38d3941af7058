// Tests that conditions and top-level projections do not allocate, because they are evaluated for
// each item that a query reads.

#include <gmock/gmock.h>

#include <string>
#include <utility>
#include <vector>

#include "engine/expression/condition.h"
#include "engine/expression/projection.h"
#include "engine/expression/syntax/parser.h"
#include "tests/support/allocations.h"
#include "tests/support/items.h"

namespace dolmen::engine {
namespace {

using test::AllocationCount;
using test::IsOk;
using test::IsOkAndHolds;
using test::N;
using test::StoreItem;

Item LargeItem() {
  Item item = {{"text", std::string(1000, 'x') + "needle"},
               {"n", N("12345678901234567890.123456789")},
               {"tags", StringSet{"a tag that is longer than a small string is", "b"}},
               {"l", List{1, "two", List{3, Map{{"k", "deep"}}}}},
               {"m", Map{{"k", Map{{"k", 5}}}}}};
  for (int i = 0; i < 20; ++i) item["attribute" + std::to_string(i)] = std::string(50, 'y');
  return item;
}

TEST(ConditionAllocationTest, EvaluationAllocatesNothing) {
  if (!test::kCountsAllocations) GTEST_SKIP() << "the sanitizers' operator new does not count";
  const StoredItem item = StoreItem(LargeItem());
  const Values values = {{":n", 5},
                         {":big", N("12345678901234567890.12")},
                         {":s", std::string(100, 'x')},
                         {":needle", "needle"},
                         {":tag", "a tag that is longer than a small string is"},
                         {":list", List{3, Map{{"k", "deep"}}}},
                         {":type", "SS"}};
  const Names names = {{"#t", "text"}};
  const auto syntax = ParseCondition(
      "attribute_exists(m.k.k) AND NOT attribute_not_exists(n) AND n > :big AND "
      "m.k.k BETWEEN :n AND n AND l[2] = :list AND l[2] <> m AND "
      "m.k.k IN (l[0], :n) AND begins_with(#t, :s) AND contains(#t, :needle) AND "
      "contains(tags, :tag) AND contains(l, :list) AND attribute_type(tags, :type) AND "
      "size(#t) > size(tags) AND size(l) < :n AND "
      "(attribute3 = :s OR NOT nowhere.p[3] = :s)",
      ExpressionKind::kFilter);
  ASSERT_THAT(syntax, IsOk());
  auto placeholders = Placeholders::Make(names, values, {{ExpressionKind::kFilter, true}});
  ASSERT_THAT(placeholders, IsOk());
  const auto filter = BindCondition(*syntax, ExpressionKind::kFilter, *placeholders);
  ASSERT_THAT(filter, IsOk());

  const std::size_t before = AllocationCount();
  const Result<bool> result = filter->Evaluate(item.view());
  EXPECT_EQ(AllocationCount() - before, 0U);
  EXPECT_THAT(result, IsOkAndHolds(true));  // true, so every operand of AND was evaluated
}

TEST(ConditionAllocationTest, ATopLevelProjectionAllocatesOnlyItsOutput) {
  if (!test::kCountsAllocations) GTEST_SKIP() << "the sanitizers' operator new does not count";
  const StoredItem item = StoreItem(LargeItem());
  std::vector<DocumentPath> paths;
  for (const char* name : {"text", "n", "tags", "l", "m", "attribute7", "missing"}) {
    paths.emplace_back(name);
  }
  const Projection projection(std::move(paths));
  std::string out;
  out.reserve(item.view().bytes().size());

  const std::size_t before = AllocationCount();
  const Status status = projection.Apply(item.view(), &out);
  EXPECT_EQ(AllocationCount() - before, 0U);
  EXPECT_THAT(status, IsOk());
  EXPECT_FALSE(ItemView::Parse(out)->attributes().empty());
}

TEST(ConditionAllocationTest, AllocationCountCountsAllocations) {
  if (!test::kCountsAllocations) GTEST_SKIP() << "the sanitizers' operator new does not count";
  const std::size_t before = AllocationCount();
  const std::string text(1000, 'x');
  EXPECT_EQ(AllocationCount() - before, 1U) << text;
}

}  // namespace
}  // namespace dolmen::engine
