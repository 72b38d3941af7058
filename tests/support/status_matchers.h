// Matchers for Status and Result:
//
//   EXPECT_THAT(table.PutItem(input), IsOk());
//   EXPECT_THAT(ParseCondition("a ="), StatusIs(StatusCode::kValidation, HasSubstr("<EOF>")));
//   EXPECT_THAT(Evaluate("a = :x"), IsOkAndHolds(true));
//
// The three are also matchers of gmock, for use within other matchers such as ElementsAre. gmock
// would compile some fifty functions for each type that such a matcher is used with, which was a
// quarter of the code of all tests. So EXPECT_THAT and ASSERT_THAT, if they get one of the three
// directly, call a function of this file instead.

#pragma once

#include <gmock/gmock.h>

#include <concepts>
#include <ostream>
#include <string>
#include <type_traits>
#include <utility>

#include "dolmen/result.h"

namespace dolmen {

// googletest calls these functions to print values in failure messages.
inline void PrintTo(StatusCode code, std::ostream* out) { *out << StatusCodeName(code); }
inline void PrintTo(const Status& status, std::ostream* out) { *out << status.ToString(); }
template <typename T>
void PrintTo(const Result<T>& result, std::ostream* out) {
  if (result.ok()) {
    *out << testing::PrintToString(*result);
  } else {
    PrintTo(result.status(), out);
  }
}

namespace test {

inline const Status& StatusOf(const Status& status) { return status; }
template <typename T>
const Status& StatusOf(const Result<T>& result) {
  return result.status();
}

// Matches an OK status or result.
class IsOk {
 public:
  using is_gtest_matcher = void;

  // Returns the outcome of EXPECT_THAT(`expression`, IsOk()).
  static testing::AssertionResult Check(const char* expression, const Status& status);
  template <typename T>
  testing::AssertionResult operator()(const char* expression, const T& value) const {
    return Check(expression, StatusOf(value));
  }

  template <typename T>
  bool MatchAndExplain(const T& value, std::ostream*) const {
    return StatusOf(value).ok();
  }
  void DescribeTo(std::ostream* out) const { *out << "is OK"; }
  void DescribeNegationTo(std::ostream* out) const { *out << "is an error"; }
};

// Matches a status or result with this code and message. `message` is a string or a matcher.
class StatusIs {
 public:
  using is_gtest_matcher = void;

  StatusIs(StatusCode code, testing::Matcher<std::string> message)
      : code_(code), message_(std::move(message)) {}

  // Returns the outcome of EXPECT_THAT(`expression`, StatusIs(...)).
  testing::AssertionResult Check(const char* expression, const Status& status) const;
  template <typename T>
  testing::AssertionResult operator()(const char* expression, const T& value) const {
    return Check(expression, StatusOf(value));
  }

  template <typename T>
  bool MatchAndExplain(const T& value, std::ostream*) const {
    return Matches(StatusOf(value));
  }
  void DescribeTo(std::ostream* out) const;
  void DescribeNegationTo(std::ostream* out) const;

 private:
  bool Matches(const Status& status) const;

  StatusCode code_;
  testing::Matcher<std::string> message_;
};

// Matches an OK result with this value. `expected` is a value or a matcher.
template <typename Expected>
class IsOkAndHolds {
 public:
  using is_gtest_matcher = void;

  explicit IsOkAndHolds(Expected expected) : expected_(std::move(expected)) {}

  template <typename T>
  testing::AssertionResult operator()(const char* expression, const Result<T>& result) const {
    if (!result.ok()) return IsOk::Check(expression, result.status());
    if constexpr (std::same_as<std::remove_cvref_t<decltype(*result)>, Expected> &&
                  std::equality_comparable<Expected>) {
      if (*result == expected_) return testing::AssertionSuccess();
    }
    return testing::internal::MakePredicateFormatterFromMatcher(expected_)(expression, *result);
  }

  template <typename T>
  bool MatchAndExplain(const Result<T>& result, std::ostream*) const {
    return result.ok() && testing::Matches(testing::SafeMatcherCast<const T&>(expected_))(*result);
  }
  void DescribeTo(std::ostream* out) const { *out << "is OK and holds the expected value"; }
  void DescribeNegationTo(std::ostream* out) const {
    *out << "is an error or holds another value than the expected one";
  }

 private:
  Expected expected_;
};

template <typename Expected>
IsOkAndHolds(Expected) -> IsOkAndHolds<Expected>;
template <std::size_t N>
IsOkAndHolds(const char (&)[N]) -> IsOkAndHolds<std::string>;

template <typename T>
concept CheckOfStatus = requires(const T& check, const Result<bool>& result) {
  { check("", result) } -> std::same_as<testing::AssertionResult>;
};

}  // namespace test
}  // namespace dolmen

namespace testing::internal {

// EXPECT_THAT calls this function. It prefers this overload to gmock's own one.
template <dolmen::test::CheckOfStatus Check>
Check MakePredicateFormatterFromMatcher(Check check) {
  return check;
}

}  // namespace testing::internal
