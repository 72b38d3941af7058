#include "engine/expression/syntax/syntax_cache.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include "tests/support/status_matchers.h"

namespace dolmen::engine {
namespace {

using test::IsOk;

// Returns the text of a condition, which differs for each `i`.
std::string Numbered(int i) { return "a" + std::to_string(i) + " = :v"; }

TEST(SyntaxCacheTest, ATextIsParsedOnce) {
  const ConditionExpression expression = "attribute_not_exists(once)";
  const auto first = GetSyntaxTree(expression);
  const auto second = GetSyntaxTree(ConditionExpression("attribute_not_exists(once)"));
  ASSERT_THAT(first, IsOk());
  ASSERT_THAT(second, IsOk());
  EXPECT_EQ(*first, *second);
  EXPECT_EQ(*first, *GetSyntaxTree(FilterExpression("attribute_not_exists(once)")))
      << "conditions of all kinds have the same tree";
  EXPECT_NE(*first, *GetSyntaxTree(ConditionExpression("attribute_not_exists(twice)")));
}

TEST(SyntaxCacheTest, EachKindOfTreeHasItsOwnCache) {
  // The text "a" is valid only as a projection. The first call puts the tree of the projection into
  // a cache. A condition and an update with the same text must not get this tree.
  EXPECT_THAT(GetSyntaxTree(ProjectionExpression("a")), IsOk());
  EXPECT_THAT(GetSyntaxTree(ConditionExpression("a")), testing::Not(IsOk()));
  EXPECT_THAT(GetSyntaxTree(UpdateExpression("a")), testing::Not(IsOk()));
}

TEST(SyntaxCacheTest, AnAbsentExpressionHasNoTree) {
  const auto tree = GetSyntaxTree(UpdateExpression());
  ASSERT_THAT(tree, IsOk());
  EXPECT_EQ(*tree, nullptr);
}

TEST(SyntaxCacheTest, TheNumberOfCachedTreesIsBounded) {
  constexpr int kTexts = 5 * kCachedTreesMax;
  std::vector<std::shared_ptr<const ConditionSyntax>> trees;
  for (int i = 0; i < kTexts; ++i)
    trees.push_back(*GetSyntaxTree(ConditionExpression(Numbered(i))));
  const auto cached = std::count_if(trees.begin(), trees.end(),
                                    [](const auto& tree) { return tree.use_count() != 1; });
  EXPECT_LE(static_cast<std::size_t>(cached), kCachedTreesMax);
  EXPECT_GT(cached, 0);
}

TEST(SyntaxCacheTest, ATreeInConstantUseIsNotEvicted) {
  const ConditionExpression hot = "hot = :v";
  const auto tree = *GetSyntaxTree(hot);
  for (int i = 0; i < 20 * static_cast<int>(kCachedTreesMax); ++i) {
    ASSERT_THAT(GetSyntaxTree(ConditionExpression(Numbered(i))), IsOk());
    ASSERT_EQ(*GetSyntaxTree(hot), tree) << i;
  }
}

TEST(SyntaxCacheTest, LongTextsAreNotCached) {
  const ConditionExpression expression = std::string(kCachedTextBytesMax, ' ') + "a = :v";
  const std::shared_ptr<const ConditionSyntax> tree = *GetSyntaxTree(expression);
  EXPECT_EQ(tree.use_count(), 1);
}

TEST(SyntaxCacheTest, ErrorsNameTheKindOfExpression) {
  EXPECT_THAT(GetSyntaxTree(ConditionExpression("a = :v AND")).status().message(),
              testing::StartsWith("Invalid ConditionExpression: "));
  EXPECT_THAT(GetSyntaxTree(FilterExpression("a = :v AND")).status().message(),
              testing::StartsWith("Invalid FilterExpression: "));
}

}  // namespace
}  // namespace dolmen::engine
