#include "engine/base/deep.h"

#include <gtest/gtest.h>

#include <stdexcept>
#include <string>
#include <string_view>

#include "tests/support/small_stack.h"

namespace dolmen::engine {
namespace {

// Counts the pairs of parentheses in a text such as (()()).
class ParenthesesCounter {
 public:
  explicit ParenthesesCounter(std::string_view text) : rest_(text) {}

  int Count() { return CountPairs().Run(); }

 private:
  Deep<int> CountPairs() {
    int count = 0;
    while (rest_.starts_with('(')) {
      rest_.remove_prefix(1);
      const int inner = co_await CountPairs();
      if (!rest_.starts_with(')')) throw std::runtime_error("unbalanced");
      rest_.remove_prefix(1);
      count += inner + 1;
    }
    co_return count;
  }

  std::string_view rest_;
};

std::string ParenthesesOf(std::size_t depth) {
  return std::string(depth, '(') + std::string(depth, ')') + "()";
}

TEST(DeepTest, ACoroutineReturnsItsResultToTheOneThatAwaitsIt) {
  EXPECT_EQ(ParenthesesCounter("").Count(), 0);
  EXPECT_EQ(ParenthesesCounter("(()())()").Count(), 4);
}

TEST(DeepTest, TheNestingUsesNoStack) {
  const auto used = [](std::size_t depth) {
    const std::string text = ParenthesesOf(depth);
    return test::StackBytesOf(
        [&] { EXPECT_EQ(ParenthesesCounter(text).Count(), static_cast<int>(depth) + 1); });
  };
  used(1);  // loads what the first call of a process loads
  EXPECT_LE(used(100'000), used(1) + 4096);
}

TEST(DeepTest, AnExceptionReachesTheCallerAndUsesNoStackForTheNesting) {
  const auto used = [](std::size_t depth) {
    const std::string text = std::string(depth, '(') + "x";
    return test::StackBytesOf(
        [&] { EXPECT_THROW(ParenthesesCounter(text).Count(), std::runtime_error); });
  };
  used(1);
  EXPECT_LE(used(10'000), used(1) + 4096);
}

}  // namespace
}  // namespace dolmen::engine
