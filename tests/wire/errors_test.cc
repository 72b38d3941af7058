// Tests of errors that are written for a server and read for a client.

#include "wire/errors.h"

#include <gmock/gmock.h>

#include <memory>

#include "engine/value/stored_form.h"
#include "tests/support/status_matchers.h"
#include "tests/support/value.h"

namespace dolmen::test {
namespace {

using ::testing::HasSubstr;

std::shared_ptr<const StoredItem> StoredPair() {
  const Item item = {{"PK", "a"}, {"n", 1}};
  return std::make_shared<const StoredItem>(Value(internal::ToStored(item)));
}

// Returns the error that a client reads from the response that a server writes.
wire::ServiceError Sent(const Status& status,
                        std::string_view not_found = "ResourceNotFoundException") {
  EndpointResponse response;
  wire::SetError(status, &response, not_found);
  return wire::ReadError(response.status, response.body);
}

void ExpectSame(const Status& actual, const Status& expected) {
  EXPECT_EQ(actual.code(), expected.code()) << expected.ToString();
  EXPECT_EQ(actual.message(), expected.message());
  EXPECT_EQ(actual.throttling_reasons(), expected.throttling_reasons());
  ASSERT_EQ(actual.item() == nullptr, expected.item() == nullptr) << expected.ToString();
  if (expected.item() != nullptr) {
    EXPECT_EQ(actual.item()->ToString(), expected.item()->ToString());
  }
  ASSERT_EQ(actual.reasons().size(), expected.reasons().size());
  for (std::size_t i = 0; i < expected.reasons().size(); ++i) {
    ExpectSame(actual.reasons()[i], expected.reasons()[i]);
  }
}

TEST(ErrorsTest, AClientReadsTheErrorThatAServerWrites) {
  const std::vector<Status> reasons = {Status(),
                                       Status::ConditionalCheckFailed(StoredPair()),
                                       Status::ConditionalCheckFailed(),
                                       Status::Validation("why"),
                                       Status::TransactionConflict(),
                                       Status::ItemCollectionSizeLimitExceeded(),
                                       Status::DuplicateItem(),
                                       Status::ProvisionedThroughputExceeded(),
                                       Status::Throttling()};
  const std::vector<ThrottlingReason> limits = {
      {.reason = "TableReadProvisionedThroughputExceeded", .table = "app"},
      {.reason = "IndexWriteKeyRangeThroughputExceeded", .table = "app", .index = "by_age"}};
  for (const Status& status :
       {Status::Validation("m \"quoted\""),
        Status::ConditionalCheckFailed(),
        Status::ConditionalCheckFailed(StoredPair()),
        Status::TransactionCanceled(reasons),
        Status::TransactionConflict(),
        Status::TransactionInProgress(),
        Status::IdempotentParameterMismatch(),
        Status::LimitExceeded("m"),
        Status::ResourceNotFound("m"),
        Status::ResourceInUse("m"),
        Status::TrimmedDataAccess("m"),
        Status::ExpiredIterator("m"),
        Status::ProvisionedThroughputExceeded(),
        Status::ProvisionedThroughputExceeded().WithThrottlingReasons(limits),
        Status::Throttling().WithThrottlingReasons(limits),
        Status::RequestLimitExceeded().WithThrottlingReasons(limits),
        Status::InternalServerError(),
        Status::ServiceUnavailable(),
        Status::ItemCollectionSizeLimitExceeded(),
        Status::DuplicateItem(),
        Status::TableAlreadyExists("app"),
        Status::BackupInUse("m"),
        Status::PointInTimeRecoveryUnavailable("app"),
        Status::InvalidRestoreTime("m"),
        Status::UnknownOperation("m")}) {
    const wire::ServiceError read = Sent(status);
    EXPECT_EQ(read.name, StatusCodeName(status.code()));
    ExpectSame(read.status, status);
  }
}

TEST(ErrorsTest, EveryKindOfNotFoundIsKResourceNotFound) {
  const wire::ServiceError read = Sent(Status::ResourceNotFound("m"), "BackupNotFoundException");
  EXPECT_EQ(read.name, "BackupNotFoundException");
  EXPECT_THAT(read.status, StatusIs(StatusCode::kResourceNotFound, "m"));
}

TEST(ErrorsTest, OtherNamesOfKnownErrorsAreRead) {
  const auto code = [](int http_status, const std::string& name) {
    return wire::ReadError(http_status, R"({"__type":")" + name + R"(","Message":"m"})")
        .status.code();
  };
  EXPECT_EQ(code(400, "Throttling"), StatusCode::kThrottling);
  EXPECT_EQ(code(400, "a#TooManyRequestsException:http://x"), StatusCode::kThrottling);
  EXPECT_EQ(code(500, "InternalFailure"), StatusCode::kInternalServerError);
  EXPECT_EQ(code(503, "ServiceUnavailableException"), StatusCode::kServiceUnavailable);
  EXPECT_EQ(code(400, "ReplicatedWriteConflictException"), StatusCode::kTransactionConflict);
  EXPECT_EQ(code(400, "TableInUseException"), StatusCode::kResourceInUse);
}

TEST(ErrorsTest, AnUnknownErrorKeepsItsName) {
  constexpr const char* kBody = R"({"__type":"a.b#AccessDeniedException","Message":"m"})";
  EXPECT_THAT(wire::ReadError(400, kBody).status,
              StatusIs(StatusCode::kValidation, "AccessDeniedException: m"));
  EXPECT_THAT(wire::ReadError(500, kBody).status,
              StatusIs(StatusCode::kInternalServerError, "AccessDeniedException: m"));
  EXPECT_THAT(wire::ReadError(503, kBody).status,
              StatusIs(StatusCode::kServiceUnavailable, "AccessDeniedException: m"));
}

TEST(ErrorsTest, ABodyInAnotherFormatIsAnErrorWithTheHttpStatus) {
  for (const char* const body : {"", "<html>", "[]", "{}", R"({"__type":1})"}) {
    const wire::ServiceError read = wire::ReadError(502, body);
    EXPECT_EQ(read.name, "") << body;
    EXPECT_THAT(read.status, StatusIs(StatusCode::kInternalServerError, HasSubstr("502"))) << body;
  }
}

TEST(ErrorsTest, DamagedPartsOfAnErrorDoNotHideIt) {
  EXPECT_THAT(wire::ReadError(400, R"({"__type":"ConditionalCheckFailedException",)"
                                   R"("message":"m","Item":{"a":1}})")
                  .status,
              StatusIs(StatusCode::kConditionalCheckFailed, "m"));
  const Status canceled =
      wire::ReadError(400, R"({"__type":"TransactionCanceledException","Message":"m",)"
                           R"("CancellationReasons":[1,{"Code":"New","Message":"w"}]})")
          .status;
  EXPECT_THAT(canceled, StatusIs(StatusCode::kTransactionCanceled, "m"));
  ASSERT_EQ(canceled.reasons().size(), 2U);
  EXPECT_THAT(canceled.reasons()[0], IsOk());
  EXPECT_THAT(canceled.reasons()[1], StatusIs(StatusCode::kValidation, "New: w"));
}

}  // namespace
}  // namespace dolmen::test
