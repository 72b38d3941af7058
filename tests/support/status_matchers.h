// Matchers for Status and Result:
//
//   EXPECT_THAT(table.PutItem(input), IsOk());
//   EXPECT_THAT(ParseCondition("a ="), StatusIs(StatusCode::kValidation, HasSubstr("<EOF>")));
//   EXPECT_THAT(Evaluate("a = :x"), IsOkAndHolds(true));

#pragma once

#include <gmock/gmock.h>

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
Status StatusOf(const Result<T>& result) {
  return result.status();
}

MATCHER(IsOk, negation ? "is an error" : "is OK") { return StatusOf(arg).ok(); }

// `message` is a string or a matcher.
MATCHER_P2(StatusIs, code, message,
           testing::PrintToString(code) + ", with a message that " +
               testing::DescribeMatcher<std::string>(message)) {
  const Status& status = StatusOf(arg);
  return status.code() == code &&
         testing::ExplainMatchResult(message, status.message(), result_listener);
}

// `value` is a value or a matcher.
MATCHER_P(IsOkAndHolds, value,
          "is OK and holds a value that " +
              testing::DescribeMatcher<std::remove_cvref_t<decltype(*std::declval<arg_type>())>>(
                  value, negation)) {
  return arg.ok() && testing::ExplainMatchResult(value, *arg, result_listener);
}

}  // namespace test
}  // namespace dolmen
