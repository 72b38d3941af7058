// Tests of Status: the contents of a success and of each kind of error.

#include "dolmen/result.h"

#include <gtest/gtest.h>

#include <memory>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "tests/support/items.h"

namespace dolmen {
namespace {

TEST(StatusTest, ASuccessHasNoMessageItemOrReasons) {
  const Status status;
  EXPECT_TRUE(status.ok());
  EXPECT_EQ(status.code(), StatusCode::kOk);
  EXPECT_EQ(status.message(), "");
  EXPECT_EQ(status.item(), nullptr);
  EXPECT_TRUE(status.reasons().empty());
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

TEST(StatusTest, AFailedConditionHoldsTheItem) {
  const auto item = std::make_shared<StoredItem>(test::StoreItem({{"n", 1}}));
  EXPECT_EQ(Status::ConditionalCheckFailed(item).item(), item.get());
  EXPECT_EQ(Status::ConditionalCheckFailed().item(), nullptr);
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

}  // namespace
}  // namespace dolmen
