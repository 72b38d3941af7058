// Tests of Function, which holds a function object of any type, as std::function does.

#include "dolmen/internal/function.h"

#include <gtest/gtest.h>

#include <functional>
#include <memory>
#include <type_traits>
#include <utility>

namespace dolmen::internal {
namespace {

int Twice(int number) { return 2 * number; }

static_assert(!std::is_convertible_v<int, Function<int(int)>>);
static_assert(!std::is_convertible_v<int (*)(), Function<int(int)>>);

TEST(FunctionTest, IsEmptyWithoutATarget) {
  EXPECT_FALSE(Function<void()>());
  EXPECT_FALSE(Function<void()>(nullptr));
  EXPECT_FALSE(Function<int(int)>(static_cast<int (*)(int)>(nullptr)));
  EXPECT_FALSE(Function<int(int)>(std::function<int(int)>()));
}

TEST(FunctionTest, CallsEachKindOfTarget) {
  const Function<int(int)> pointer = &Twice;
  const Function<int(int)> name = Twice;
  const Function<int(int)> standard = std::function<int(int)>(Twice);
  const Function<int(int)> lambda = [](int number) { return 2 * number; };
  const int factor = 2;
  const Function<int(int)> capturing = [&](int number) { return factor * number; };
  for (const auto& function : {pointer, name, standard, lambda, capturing}) {
    ASSERT_TRUE(function);
    EXPECT_EQ(function(21), 42);
  }
}

TEST(FunctionTest, PassesMoveOnlyArgumentsAndResults) {
  const Function<std::unique_ptr<int>(std::unique_ptr<int>)> next =
      [](std::unique_ptr<int> number) {
        ++*number;
        return number;
      };
  EXPECT_EQ(*next(std::make_unique<int>(1)), 2);
}

TEST(FunctionTest, PassesReferencesWithoutACopy) {
  int count = 0;
  const Function<int&(int&)> same = [](int& number) -> int& { return number; };
  ++same(count);
  EXPECT_EQ(count, 1);
}

TEST(FunctionTest, DropsTheResultIfTheSignatureReturnsNothing) {
  int calls = 0;
  const Function<void()> function = [&] { return ++calls; };
  function();
  EXPECT_EQ(calls, 1);
}

TEST(FunctionTest, CopiesShareTheState) {
  const Function<int()> counter = [count = 0]() mutable { return ++count; };
  const Function<int()> copy = counter;
  EXPECT_EQ(counter(), 1);
  EXPECT_EQ(copy(), 2);
  EXPECT_EQ(counter(), 3);
}

TEST(FunctionTest, OwnsItsTargetUntilTheLastCopyIsDestroyed) {
  auto owned = std::make_shared<int>(1);
  const std::weak_ptr<int> watch = owned;
  Function<int()> first = [owned = std::move(owned)] { return *owned; };
  Function<int()> second = first;
  first = nullptr;
  EXPECT_FALSE(first);
  EXPECT_EQ(second(), 1);
  second = {};
  EXPECT_TRUE(watch.expired());
}

}  // namespace
}  // namespace dolmen::internal
