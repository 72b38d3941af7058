// Tests of threads that use the same expressions. The expressions are more than the cache of parsed
// expressions holds, so threads insert and evict trees concurrently. Each thread must get the tree
// of the expression that it asked for.

#include <gtest/gtest.h>

#include <string>

#include "dolmen/dolmen.h"
#include "engine/expression/syntax/syntax_cache.h"
#include "tests/concurrent/threads.h"
#include "tests/support/random.h"
#include "tests/support/status_matchers.h"

namespace dolmen::test {
namespace {

constexpr int kWritesPerThread = 2'000;
constexpr std::size_t kTexts = 2 * engine::kCachedTreesMax;

class ExpressionsTest : public SeededTest {};

TEST_F(ExpressionsTest, EachThreadGetsTheTreeOfItsOwnText) {
  RunTogether(kThreads, [&](std::size_t thread) {
    Random random(TestSeed() + thread);
    for (int i = 0; i < kWritesPerThread; ++i) {
      const std::string text = "a" + std::to_string(random.Below(kTexts)) + " = :v";
      const auto tree = engine::GetSyntaxTree(ConditionExpression(text));
      ASSERT_THAT(tree, IsOk());
      ASSERT_EQ(std::string((*tree)->text.begin(), (*tree)->text.end()), text);
    }
  });
}

TEST_F(ExpressionsTest, OneBuiltExpressionServesAllThreads) {
  auto db = Database::InMemory();
  ASSERT_THAT(db, IsOk());
  auto table = db->CreateTable({.name = "counters"});
  ASSERT_THAT(table, IsOk());
  const UpdateExpression increment = Update().Add("n", 1);
  const ConditionExpression below = AttributeNotExists("n") || Attr("n") < 1'000'000;
  RunTogether(kThreads, [&](std::size_t) {
    for (int i = 0; i < 200; ++i) {
      ASSERT_THAT(table->UpdateItem(
                      {.key = {{"PK", "p"}, {"SK", "s"}}, .update = increment, .condition = below}),
                  IsOk());
    }
  });
  const auto got = table->GetItem({.key = {{"PK", "p"}, {"SK", "s"}}});
  ASSERT_THAT(got, IsOk());
  EXPECT_EQ(got->item->view()["n"].AsInt64(), 200 * static_cast<std::int64_t>(kThreads));
}

}  // namespace
}  // namespace dolmen::test
