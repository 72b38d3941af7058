#include "tests/support/status_matchers.h"

namespace dolmen::test {
namespace {

testing::AssertionResult Failure(const char* expression, const std::string& expected,
                                 const Status& actual) {
  return testing::AssertionFailure() << "Value of: " << expression << "\nExpected: " << expected
                                     << "\n  Actual: " << testing::PrintToString(actual);
}

}  // namespace

testing::AssertionResult IsOk::Check(const char* expression, const Status& status) {
  if (status.ok()) return testing::AssertionSuccess();
  return Failure(expression, "is OK", status);
}

testing::AssertionResult StatusIs::Check(const char* expression, const Status& status) const {
  if (Matches(status)) return testing::AssertionSuccess();
  std::ostringstream expected;
  DescribeTo(&expected);
  return Failure(expression, expected.str(), status);
}

void StatusIs::DescribeTo(std::ostream* out) const {
  *out << testing::PrintToString(code_) << ", with a message that ";
  message_.DescribeTo(out);
}

void StatusIs::DescribeNegationTo(std::ostream* out) const {
  *out << "is not ";
  DescribeTo(out);
}

bool StatusIs::Matches(const Status& status) const {
  return status.code() == code_ && message_.Matches(std::string(status.message()));
}

}  // namespace dolmen::test
