// Tests of Status, the contents of a success and of each kind of error, and of Result.

#include "dolmen/result.h"

#include <gtest/gtest.h>

#include <csignal>
#include <memory>
#include <set>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "dolmen/dolmen.h"
#include "dolmen/result.h"
#include "tests/support/items.h"
#include "tests/support/status_matchers.h"

namespace dolmen {
namespace {

TEST(StatusTest, ASuccessHasNoMessageItemOrReasons) {
  const Status status;
  EXPECT_TRUE(status.ok());
  EXPECT_EQ(status.code(), StatusCode::kOk);
  EXPECT_EQ(status.message(), "");
  EXPECT_EQ(status.item(), nullptr);
  EXPECT_TRUE(status.reasons().empty());
  EXPECT_TRUE(status.throttling_reasons().empty());
  EXPECT_EQ(status.ToString(), "OK");
}

TEST(StatusTest, EachMakerSetsItsCodeAndMessage) {
  const std::vector<std::pair<Status, StatusCode>> made = {
      {Status::Validation("why"), StatusCode::kValidation},
      {Status::TransactionConflict("why"), StatusCode::kTransactionConflict},
      {Status::LimitExceeded("why"), StatusCode::kLimitExceeded},
      {Status::ResourceNotFound("why"), StatusCode::kResourceNotFound},
      {Status::ResourceInUse("why"), StatusCode::kResourceInUse},
      {Status::TrimmedDataAccess("why"), StatusCode::kTrimmedDataAccess},
      {Status::ExpiredIterator("why"), StatusCode::kExpiredIterator},
      {Status::Corruption("why"), StatusCode::kCorruption},
      {Status::UnsupportedFormat("why"), StatusCode::kUnsupportedFormat},
      {Status::Storage("why"), StatusCode::kStorage}};
  for (const auto& [status, code] : made) {
    EXPECT_FALSE(status.ok());
    EXPECT_EQ(status.code(), code);
    EXPECT_EQ(status.message(), "why");
    EXPECT_EQ(status.ToString(), std::string(StatusCodeName(code)) + ": why");
  }
}

TEST(StatusTest, EachCodeHasANameOfItsOwn) {
  constexpr int kCodes = static_cast<int>(StatusCode::kStorage) + 1;
  std::set<std::string_view> names;
  for (int code = 0; code < kCodes; ++code) {
    names.insert(StatusCodeName(static_cast<StatusCode>(code)));
  }
  EXPECT_EQ(names.size(), static_cast<std::size_t>(kCodes));
  EXPECT_FALSE(names.contains("Unknown"));
}

TEST(StatusTest, AThrottledReasonHasACodeOfItsOwn) {
  EXPECT_EQ(CancellationCode(Status::ProvisionedThroughputExceeded()),
            "ProvisionedThroughputExceeded");
  EXPECT_EQ(CancellationCode(Status::Throttling()), "ThrottlingError");
}

TEST(StatusTest, AFailedConditionHoldsTheItem) {
  const auto item = std::make_shared<StoredItem>(test::StoreItem({{"n", 1}}));
  EXPECT_EQ(Status::ConditionalCheckFailed(item).item(), item.get());
  EXPECT_EQ(Status::ConditionalCheckFailed().item(), nullptr);
}

TEST(StatusTest, WithMessageReplacesOnlyTheMessage) {
  const auto item = std::make_shared<StoredItem>(test::StoreItem({{"n", 1}}));
  const Status refused = Status::ConditionalCheckFailed(item).WithMessage("n is not 2");
  EXPECT_EQ(refused.ToString(), "ConditionalCheckFailedException: n is not 2");
  EXPECT_EQ(refused.item(), item.get());
  EXPECT_TRUE(Status().WithMessage("nothing is wrong").ok());
}

TEST(StatusTest, WithThrottlingReasonsKeepsTheCodeAndTheMessage) {
  const std::vector<ThrottlingReason> reasons = {{"IndexReadX", "app", "GSI1"}};
  const Status throttled = Status::Throttling().WithThrottlingReasons(reasons);
  EXPECT_EQ(throttled.throttling_reasons(), reasons);
  EXPECT_EQ(throttled.WithMessage("why").throttling_reasons(), reasons);
  EXPECT_EQ(throttled.ToString(), Status::Throttling().ToString());
  EXPECT_TRUE(Status().WithThrottlingReasons(reasons).ok());
}

TEST(StatusTest, IgnoringMakesOneErrorASuccess) {
  const Status error = Status::ResourceNotFound("gone");
  EXPECT_TRUE(error.Ignoring(StatusCode::kResourceNotFound).ok());
  EXPECT_EQ(error.Ignoring(StatusCode::kStorage).message(), "gone");
  EXPECT_TRUE(Status().Ignoring(StatusCode::kStorage).ok());
}

TEST(StatusTest, ASuccessGoesOnWithTheNextCall) {
  const Status error = Status::Storage("disk");
  EXPECT_EQ(Status().and_then([&] { return error; }).message(), "disk");
  EXPECT_EQ(*Status().and_then([] { return Result(7); }), 7);
  bool called = false;
  const auto call = [&] {
    called = true;
    return Status();
  };
  EXPECT_EQ(error.and_then(call).message(), "disk");
  EXPECT_FALSE(called);
}

TEST(StatusTest, ASuccessReturnsTheValueThatFollows) {
  EXPECT_EQ(*Status().and_return(std::string("sent")), "sent");
  EXPECT_EQ(Status::Storage("disk").and_return(7).status().message(), "disk");
}

TEST(StatusTest, ACanceledTransactionListsTheCodesOfItsReasons) {
  const Status status =
      Status::TransactionCanceled({Status(), Status::ConditionalCheckFailed(),
                                   Status::TransactionConflict(), Status::Validation("wrong")});
  EXPECT_EQ(status.message(),
            "Transaction cancelled, please refer cancellation reasons for specific reasons "
            "[None, ConditionalCheckFailed, TransactionConflict, ValidationError]");
  ASSERT_EQ(status.reasons().size(), 4U);
  EXPECT_TRUE(status.reasons()[0].ok());
  EXPECT_EQ(status.reasons()[3].message(), "wrong");
}

TEST(StatusTest, ACopyOutlivesItsOriginal) {
  Status copy;
  {
    const Status original = Status::Storage("disk");
    copy = original;
  }
  EXPECT_EQ(copy.ToString(), "StorageException: disk");
}

using Text = Result<std::string>;
using MoveOnly = Result<std::unique_ptr<int>>;

// A temporary Result returns its value and its error by value, and any other Result by reference.
static_assert(std::is_same_v<decltype(*std::declval<Text>()), std::string>);
static_assert(std::is_same_v<decltype(*std::declval<Text&>()), std::string&>);
static_assert(std::is_same_v<decltype(*std::declval<const Text&>()), const std::string&>);
static_assert(std::is_same_v<decltype(std::declval<Text>().status()), Status>);
static_assert(std::is_same_v<decltype(std::declval<Text&>().status()), const Status&>);

Text Failed() { return Status::Storage("disk"); }

TEST(ResultTest, ATemporaryResultGivesItsValueAway) {
  MoveOnly result = std::make_unique<int>(7);
  const std::unique_ptr<int> value = *std::move(result);
  EXPECT_EQ(*value, 7);
}

TEST(ResultTest, ALoopOverTheValueOfATemporaryResultIsSafe) {
  const auto database = Database::InMemory();
  ASSERT_TRUE(database.ok());
  const auto table = database->CreateTable({.name = "app"});
  ASSERT_TRUE(table.ok());
  const std::string body(1000, 'x');  // too long for the small buffer of a std::string
  for (const char* sort : {"a", "b", "c"}) {
    ASSERT_TRUE(table->PutItem({.item = {{"PK", "p"}, {"SK", sort}, {"body", body}}}).ok());
  }
  std::string sorts;
  for (const ItemView item : *table->Query({.key_condition = Partition("p")})) {
    sorts.append(item["SK"].AsString().value_or("?"));
    EXPECT_EQ(item["body"].AsString(), body);
  }
  EXPECT_EQ(sorts, "abc");
}

TEST(ResultTest, StatusIsTheErrorOrSuccess) {
  const Text result = Failed();
  EXPECT_FALSE(result.ok());
  EXPECT_FALSE(static_cast<bool>(result));
  EXPECT_EQ(&result.status(), &result.status());
  EXPECT_EQ(result.status().ToString(), "StorageException: disk");
  EXPECT_EQ(Failed().status().message(), "disk");
  EXPECT_TRUE(Text("a").status().ok());
}

TEST(ResultTest, ValueOrReturnsTheOtherValueOnlyWithoutAValue) {
  const Text good("a");
  const Text bad = Failed();
  EXPECT_EQ(good.value_or("b"), "a");
  EXPECT_EQ(bad.value_or("b"), "b");
  EXPECT_EQ(Text("a").value_or("b"), "a");
  EXPECT_EQ(Failed().value_or("b"), "b");
  EXPECT_EQ(*good, "a");
  EXPECT_EQ(*MoveOnly(std::make_unique<int>(7)).value_or(nullptr), 7);
}

TEST(ResultTest, CallsTheFunctionOfAndThenOnlyWithAValue) {
  int calls = 0;
  const auto size = [&](const std::string& text) -> Result<std::size_t> {
    ++calls;
    if (text.empty()) return Status::Validation("empty");
    return text.size();
  };
  const Text good("abc");
  const Text bad = Failed();
  EXPECT_THAT(good.and_then(size), test::IsOkAndHolds(3U));
  EXPECT_THAT(Text("").and_then(size), test::StatusIs(StatusCode::kValidation, "empty"));
  EXPECT_EQ(calls, 2);
  EXPECT_THAT(bad.and_then(size), test::StatusIs(StatusCode::kStorage, "disk"));
  EXPECT_THAT(Failed().and_then(size), test::StatusIs(StatusCode::kStorage, "disk"));
  EXPECT_EQ(calls, 2);
  const auto pass = [](std::unique_ptr<int> value) -> MoveOnly { return value; };
  EXPECT_EQ(**MoveOnly(std::make_unique<int>(7)).and_then(pass), 7);
}

TEST(ResultTest, TransformMakesAResultOfTheReturnedValue) {
  const auto size = [](const std::string& text) { return text.size(); };
  const Text good("abc");
  const Text bad = Failed();
  EXPECT_THAT(good.transform(size), test::IsOkAndHolds(3U));
  EXPECT_THAT(bad.transform(size), test::StatusIs(StatusCode::kStorage, "disk"));
  EXPECT_THAT(Failed().transform(size), test::StatusIs(StatusCode::kStorage, "disk"));
  const auto get = [](std::unique_ptr<int> value) { return *value; };
  EXPECT_THAT(MoveOnly(std::make_unique<int>(7)).transform(get), test::IsOkAndHolds(7));
}

// Death tests run in a new process, because other tests of the same program have threads.
class ResultDeathTest : public testing::Test {
 protected:
  ResultDeathTest() { GTEST_FLAG_SET(death_test_style, "threadsafe"); }
};

TEST_F(ResultDeathTest, ReadingAMissingValuePrintsTheErrorAndAborts) {
  constexpr const char* kMessage =
      "dolmen: a program has read the value of a failed Result: StorageException: disk";
  Text result = Failed();
  const Text& constant = result;
  EXPECT_EXIT(static_cast<void>(*result), testing::KilledBySignal(SIGABRT), kMessage);
  EXPECT_EXIT(static_cast<void>(*constant), testing::KilledBySignal(SIGABRT), kMessage);
  EXPECT_EXIT(static_cast<void>(*Failed()), testing::KilledBySignal(SIGABRT), kMessage);
  EXPECT_EXIT(result->clear(), testing::KilledBySignal(SIGABRT), kMessage);
  EXPECT_EXIT(static_cast<void>(constant->data()), testing::KilledBySignal(SIGABRT), kMessage);
}

TEST_F(ResultDeathTest, MakingAFailedResultOfASuccessAborts) {
  EXPECT_EXIT(Text(Status()).status().IgnoreError(), testing::KilledBySignal(SIGABRT),
              "made a Result of a Status that is a success");
}

}  // namespace
}  // namespace dolmen
