// Tests of the decisions about retries.

#include "remote/retry.h"

#include <gmock/gmock.h>

#include "tests/support/status_matchers.h"

namespace dolmen::test {
namespace {

using remote::AttemptKind;
using remote::AttemptResult;
using remote::HttpOutcome;
using remote::HttpResponse;
using std::chrono::milliseconds;
using ::testing::HasSubstr;

AttemptResult JudgeError(int status, const std::string& name) {
  return remote::Judge({.status = status, .body = R"({"__type":"a#)" + name + R"("})"}, "url");
}

TEST(RetryTest, EachErrorHasItsKind) {
  struct Case {
    int status;
    const char* name;
    AttemptKind kind;
    bool is_ambiguous;
  };
  for (const auto& [status, name, kind, is_ambiguous] : {
           Case{400, "ValidationException", AttemptKind::kDone, false},
           Case{400, "ConditionalCheckFailedException", AttemptKind::kDone, false},
           Case{400, "TransactionCanceledException", AttemptKind::kDone, false},
           Case{400, "TransactionConflictException", AttemptKind::kDone, false},
           Case{400, "LimitExceededException", AttemptKind::kDone, false},
           Case{400, "AccessDeniedException", AttemptKind::kDone, false},
           Case{400, "ThrottlingException", AttemptKind::kThrottled, false},
           Case{400, "ProvisionedThroughputExceededException", AttemptKind::kThrottled, false},
           Case{400, "RequestLimitExceeded", AttemptKind::kThrottled, false},
           Case{400, "TransactionInProgressException", AttemptKind::kThrottled, false},
           Case{400, "RequestTimeoutException", AttemptKind::kTransient, false},
           Case{400, "RequestTimeTooSkewed", AttemptKind::kClock, false},
           Case{400, "InvalidSignatureException", AttemptKind::kClock, false},
           Case{400, "ExpiredTokenException", AttemptKind::kExpired, false},
           Case{500, "InternalServerError", AttemptKind::kTransient, true},
           Case{503, "ServiceUnavailable", AttemptKind::kTransient, true},
           Case{502, "Unknown", AttemptKind::kTransient, true},
       }) {
    const AttemptResult result = JudgeError(status, name);
    EXPECT_EQ(result.kind, kind) << name;
    EXPECT_EQ(result.is_ambiguous, is_ambiguous) << name;
    EXPECT_FALSE(result.status.ok()) << name;
  }
}

TEST(RetryTest, AFailureOfTheConnectionSaysIfTheRequestMayHaveBeenExecuted) {
  const auto judge = [](HttpOutcome outcome) {
    return remote::Judge({.outcome = outcome, .error = "words"}, "http://url");
  };
  const AttemptResult not_sent = judge(HttpOutcome::kNotSent);
  EXPECT_EQ(not_sent.kind, AttemptKind::kTransient);
  EXPECT_FALSE(not_sent.is_ambiguous);
  EXPECT_THAT(not_sent.status,
              StatusIs(StatusCode::kServiceUnavailable,
                       "Cannot reach http://url: words. The request was not executed."));
  for (const HttpOutcome outcome : {HttpOutcome::kLost, HttpOutcome::kTimeout}) {
    const AttemptResult lost = judge(outcome);
    EXPECT_EQ(lost.kind, AttemptKind::kTransient);
    EXPECT_TRUE(lost.is_ambiguous);
    EXPECT_THAT(lost.status, StatusIs(StatusCode::kInternalServerError,
                                      HasSubstr("words. The request may have been executed.")));
  }
  EXPECT_EQ(judge(HttpOutcome::kTooLarge).kind, AttemptKind::kDone);
  const AttemptResult not_trusted = judge(HttpOutcome::kNotTrusted);
  EXPECT_EQ(not_trusted.kind, AttemptKind::kDone);
  EXPECT_EQ(not_trusted.status.message(), not_sent.status.message());
}

TEST(RetryTest, AResponseWithAWrongChecksumIsDamaged) {
  EXPECT_THAT(remote::Judge({.status = 200, .crc32 = "2745614147", .body = "{}"}, "u").status,
              IsOk());
  EXPECT_THAT(remote::Judge({.status = 200, .body = "{}"}, "u").status, IsOk());
  for (const int status : {200, 400}) {
    const AttemptResult damaged =
        remote::Judge({.status = status, .crc32 = "2745614147", .body = "{]"}, "u");
    EXPECT_EQ(damaged.kind, AttemptKind::kTransient);
    EXPECT_TRUE(damaged.is_ambiguous);
    EXPECT_THAT(damaged.status, StatusIs(StatusCode::kInternalServerError, HasSubstr("crc32")));
  }
}

TEST(RetryTest, PausesDoubleUpTo20Seconds) {
  EXPECT_EQ(remote::PauseBefore(1, AttemptKind::kTransient, 1), milliseconds(25));
  EXPECT_EQ(remote::PauseBefore(2, AttemptKind::kTransient, 1), milliseconds(50));
  EXPECT_EQ(remote::PauseBefore(3, AttemptKind::kTransient, 0.5), milliseconds(50));
  EXPECT_EQ(remote::PauseBefore(3, AttemptKind::kTransient, 0), milliseconds(0));
  EXPECT_EQ(remote::PauseBefore(1, AttemptKind::kThrottled, 1), milliseconds(1000));
  EXPECT_EQ(remote::PauseBefore(6, AttemptKind::kThrottled, 1), milliseconds(20000));
  EXPECT_EQ(remote::PauseBefore(1 << 30, AttemptKind::kTransient, 1), milliseconds(20000));
}

TEST(RetryTest, TheBudgetHas500TokensAndGetsThemBackBySuccesses) {
  remote::RetryBudget budget;
  int taken = 0;
  for (int i = 0; i < 35; ++i) {
    EXPECT_TRUE(budget.Take(AttemptKind::kTransient, &taken));
    EXPECT_EQ(taken, 14);
  }
  EXPECT_FALSE(budget.Take(AttemptKind::kTransient, &taken)) << "10 tokens are left";
  EXPECT_TRUE(budget.Take(AttemptKind::kThrottled, &taken));
  EXPECT_TRUE(budget.Take(AttemptKind::kThrottled, &taken));
  EXPECT_EQ(taken, 5);
  EXPECT_FALSE(budget.Take(AttemptKind::kThrottled, &taken));
  budget.Return(0);
  EXPECT_FALSE(budget.Take(AttemptKind::kThrottled, &taken)) << "1 token";
  budget.Return(14);
  EXPECT_TRUE(budget.Take(AttemptKind::kTransient, &taken));
  for (int i = 0; i < 1000; ++i) budget.Return(14);
  for (int i = 0; i < 100; ++i) EXPECT_TRUE(budget.Take(AttemptKind::kThrottled, &taken));
  EXPECT_FALSE(budget.Take(AttemptKind::kThrottled, &taken)) << "at most 500 tokens";
}

}  // namespace
}  // namespace dolmen::test
