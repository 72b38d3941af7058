// Tests of DOLMEN_RETURN_IF_ERROR and DOLMEN_ASSIGN_OR_RETURN: when they return, what they return,
// and how often they evaluate, copy and move.

#include "engine/base/status_macros.h"

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <utility>

#include "dolmen/result.h"

namespace dolmen {
namespace {

// A value that counts its moves and cannot be copied.
struct MoveCounter {
  MoveCounter() = default;
  MoveCounter(MoveCounter&& other) noexcept : moves(other.moves + 1) {}
  MoveCounter& operator=(MoveCounter&& other) noexcept {
    moves = other.moves + 1;
    return *this;
  }

  int moves = 0;
};

Status StatusOf(bool ok, int* calls) {
  ++*calls;
  return ok ? Status() : Status::Validation("why");
}

Result<std::unique_ptr<int>> PointerTo(int value) {
  if (value < 0) return Status::Validation("is negative");
  return std::make_unique<int>(value);
}

template <int kFirst, int kSecond>
Status Compare() {
  return kFirst == kSecond ? Status() : Status::Validation("differ");
}

Result<std::string> TextUnlessError(bool ok, int* calls) {
  DOLMEN_RETURN_IF_ERROR(StatusOf(ok, calls));
  return std::string("text");
}

TEST(StatusMacrosTest, ReturnIfErrorReturnsOnlyAnError) {
  int calls = 0;
  EXPECT_EQ(*TextUnlessError(true, &calls), "text");
  EXPECT_EQ(TextUnlessError(false, &calls).status().message(), "why");
  EXPECT_EQ(calls, 2);
}

TEST(StatusMacrosTest, ReturnIfErrorIsOneStatement) {
  const auto checked = [](bool check, int* calls) -> Status {
    if (check)
      DOLMEN_RETURN_IF_ERROR(StatusOf(false, calls));
    else
      ++*calls;
    return {};
  };
  int calls = 0;
  EXPECT_FALSE(checked(true, &calls).ok());
  EXPECT_TRUE(checked(false, &calls).ok());
  EXPECT_EQ(calls, 2);
}

TEST(StatusMacrosTest, ReturnIfErrorTakesAnExpressionWithACommaOutsideParentheses) {
  const auto compared = []() -> Status {
    DOLMEN_RETURN_IF_ERROR(Compare<1, 1>());
    DOLMEN_RETURN_IF_ERROR(Compare<1, 2>());
    return Status::Validation("the error was ignored");
  };
  EXPECT_EQ(compared().message(), "differ");
}

TEST(StatusMacrosTest, AssignOrReturnMovesTheValueIntoAVariable) {
  const auto sum = [](int first, int second) -> Result<int> {
    DOLMEN_ASSIGN_OR_RETURN(const std::unique_ptr<int> a, PointerTo(first));
    std::unique_ptr<int> b;
    DOLMEN_ASSIGN_OR_RETURN(b, PointerTo(second));
    return *a + *b;
  };
  EXPECT_EQ(*sum(1, 2), 3);
  EXPECT_EQ(sum(-1, 2).status().message(), "is negative");
  EXPECT_EQ(sum(1, -2).status().message(), "is negative");
}

TEST(StatusMacrosTest, AssignOrReturnReturnsTheErrorAsAStatus) {
  const auto check = [](int value) -> Status {
    DOLMEN_ASSIGN_OR_RETURN(const auto pointer, PointerTo(value));
    return *pointer == value ? Status() : Status::Validation("is another value");
  };
  EXPECT_TRUE(check(1).ok());
  EXPECT_EQ(check(-1).message(), "is negative");
}

TEST(StatusMacrosTest, AReferenceNeedsNoMoveAndLivesUntilTheEndOfTheBlock) {
  const auto make = []() -> Result<MoveCounter> { return MoveCounter(); };
  const int moves = make()->moves;
  const auto moves_of_reference = [&]() -> Result<int> {
    DOLMEN_ASSIGN_OR_RETURN(const MoveCounter& counter, make());
    return counter.moves;
  };
  const auto moves_of_value = [&]() -> Result<int> {
    DOLMEN_ASSIGN_OR_RETURN(MoveCounter counter, make());
    return counter.moves;
  };
  EXPECT_EQ(*moves_of_reference(), moves);
  EXPECT_EQ(*moves_of_value(), moves + 1);
}

}  // namespace
}  // namespace dolmen
