#include "dolmen/result.h"

#include <cstdio>
#include <cstdlib>
#include <memory>

#include "dolmen/item_view.h"

namespace dolmen {

struct Status::State {
  StatusCode code = StatusCode::kOk;
  std::string message;
  std::shared_ptr<const StoredItem> item = nullptr;
  std::vector<Status> reasons = {};
  std::vector<ThrottlingReason> throttling_reasons = {};
};

namespace {

std::string CanceledMessage(const std::vector<Status>& reasons) {
  std::string message =
      "Transaction cancelled, please refer cancellation reasons for specific reasons [";
  for (std::size_t i = 0; i < reasons.size(); ++i) {
    if (i > 0) message.append(", ");
    message.append(CancellationCode(reasons[i]));
  }
  return message.append("]");
}

}  // namespace

Status::Status(State state) : state_(std::make_shared<const State>(std::move(state))) {}

Status Status::Validation(std::string message) {
  return Status(State{StatusCode::kValidation, std::move(message)});
}

Status Status::ConditionalCheckFailed(std::shared_ptr<const StoredItem> item) {
  return Status(State{StatusCode::kConditionalCheckFailed, "The conditional request failed",
                      std::move(item)});
}

Status Status::TransactionCanceled(std::vector<Status> reasons) {
  std::string message = CanceledMessage(reasons);
  return Status(
      State{StatusCode::kTransactionCanceled, std::move(message), nullptr, std::move(reasons)});
}

Status Status::TransactionConflict() {
  return TransactionConflict("Transaction is ongoing for the item");
}

Status Status::TransactionConflict(std::string message) {
  return Status(State{StatusCode::kTransactionConflict, std::move(message)});
}

Status Status::TransactionInProgress() {
  return Status(State{StatusCode::kTransactionInProgress,
                      "The transaction with the given request token is already in progress."});
}

Status Status::IdempotentParameterMismatch() {
  return Status(
      State{StatusCode::kIdempotentParameterMismatch,
            "The request token was used for another transaction within the last ten minutes."});
}

Status Status::LimitExceeded(std::string message) {
  return Status(State{StatusCode::kLimitExceeded, std::move(message)});
}

Status Status::ResourceNotFound(std::string message) {
  return Status(State{StatusCode::kResourceNotFound, std::move(message)});
}

Status Status::ResourceInUse(std::string message) {
  return Status(State{StatusCode::kResourceInUse, std::move(message)});
}

Status Status::TrimmedDataAccess(std::string message) {
  return Status(State{StatusCode::kTrimmedDataAccess, std::move(message)});
}

Status Status::ExpiredIterator(std::string message) {
  return Status(State{StatusCode::kExpiredIterator, std::move(message)});
}

Status Status::ProvisionedThroughputExceeded() {
  return Status(State{StatusCode::kProvisionedThroughputExceeded,
                      "The level of configured provisioned throughput for the table was exceeded. "
                      "Consider increasing your provisioning level with the UpdateTable API."});
}

Status Status::Throttling() {
  return Status(State{
      StatusCode::kThrottling,
      "Throughput exceeds the current capacity of your table or index. DynamoDB is automatically "
      "scaling your table or index so please try again shortly. If exceptions persist, check if "
      "you have a hot key: "
      "https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/"
      "bp-partition-key-design.html"});
}

Status Status::RequestLimitExceeded() {
  return Status(State{StatusCode::kRequestLimitExceeded,
                      "Throughput exceeds the current throughput limit for your account. Please "
                      "contact AWS Support at https://aws.amazon.com/support to request a limit "
                      "increase."});
}

Status Status::InternalServerError() {
  return Status(State{StatusCode::kInternalServerError, "Internal server error"});
}

Status Status::ServiceUnavailable() {
  return Status(
      State{StatusCode::kServiceUnavailable, "The service is currently unavailable or busy."});
}

Status Status::Corruption(std::string message) {
  return Status(State{StatusCode::kCorruption, std::move(message)});
}

Status Status::UnsupportedFormat(std::string message) {
  return Status(State{StatusCode::kUnsupportedFormat, std::move(message)});
}

Status Status::Storage(std::string message) {
  return Status(State{StatusCode::kStorage, std::move(message)});
}

Status Status::ItemCollectionSizeLimitExceeded() {
  return Status(State{StatusCode::kItemCollectionSizeLimitExceeded, "Collection size exceeded."});
}

Status Status::DuplicateItem() {
  return Status(State{StatusCode::kDuplicateItem, "Duplicate primary key exists in table"});
}

Status Status::TableAlreadyExists(std::string_view table) {
  return Status(
      State{StatusCode::kTableAlreadyExists, std::string("Table already exists: ").append(table)});
}

Status Status::BackupInUse(std::string message) {
  return Status(State{StatusCode::kBackupInUse, std::move(message)});
}

Status Status::PointInTimeRecoveryUnavailable(std::string_view table) {
  return Status(State{
      StatusCode::kPointInTimeRecoveryUnavailable,
      std::string("Point in time recovery is not enabled for table '").append(table).append("'")});
}

Status Status::InvalidRestoreTime(std::string message) {
  return Status(State{StatusCode::kInvalidRestoreTime, std::move(message)});
}

Status Status::UnknownOperation(std::string message) {
  return Status(State{StatusCode::kUnknownOperation, std::move(message)});
}

Status Status::WithMessage(std::string message) const {
  if (ok()) return {};
  State state = *state_;
  state.message = std::move(message);
  return Status(std::move(state));
}

Status Status::WithThrottlingReasons(std::vector<ThrottlingReason> reasons) const {
  if (ok()) return {};
  State state = *state_;
  state.throttling_reasons = std::move(reasons);
  return Status(std::move(state));
}

StatusCode Status::code() const { return ok() ? StatusCode::kOk : state_->code; }

const std::string& Status::message() const {
  static const std::string kNone;
  return ok() ? kNone : state_->message;
}

const StoredItem* Status::item() const { return ok() ? nullptr : state_->item.get(); }

const std::vector<Status>& Status::reasons() const {
  static const std::vector<Status> kNone;
  return ok() ? kNone : state_->reasons;
}

const std::vector<ThrottlingReason>& Status::throttling_reasons() const {
  static const std::vector<ThrottlingReason> kNone;
  return ok() ? kNone : state_->throttling_reasons;
}

std::string Status::ToString() const {
  std::string text(StatusCodeName(code()));
  if (!ok()) text.append(": ").append(message());
  return text;
}

std::string_view StatusCodeName(StatusCode code) {
  switch (code) {
    case StatusCode::kOk:
      return "OK";
    case StatusCode::kValidation:
      return "ValidationException";
    case StatusCode::kConditionalCheckFailed:
      return "ConditionalCheckFailedException";
    case StatusCode::kTransactionCanceled:
      return "TransactionCanceledException";
    case StatusCode::kTransactionConflict:
      return "TransactionConflictException";
    case StatusCode::kTransactionInProgress:
      return "TransactionInProgressException";
    case StatusCode::kIdempotentParameterMismatch:
      return "IdempotentParameterMismatchException";
    case StatusCode::kLimitExceeded:
      return "LimitExceededException";
    case StatusCode::kResourceNotFound:
      return "ResourceNotFoundException";
    case StatusCode::kResourceInUse:
      return "ResourceInUseException";
    case StatusCode::kTrimmedDataAccess:
      return "TrimmedDataAccessException";
    case StatusCode::kExpiredIterator:
      return "ExpiredIteratorException";
    case StatusCode::kProvisionedThroughputExceeded:
      return "ProvisionedThroughputExceededException";
    case StatusCode::kThrottling:
      return "ThrottlingException";
    case StatusCode::kRequestLimitExceeded:
      return "RequestLimitExceeded";
    case StatusCode::kInternalServerError:
      return "InternalServerError";
    case StatusCode::kServiceUnavailable:
      return "ServiceUnavailable";
    case StatusCode::kCorruption:
      return "CorruptionException";
    case StatusCode::kUnsupportedFormat:
      return "UnsupportedFormatException";
    case StatusCode::kStorage:
      return "StorageException";
    case StatusCode::kItemCollectionSizeLimitExceeded:
      return "ItemCollectionSizeLimitExceededException";
    case StatusCode::kDuplicateItem:
      return "DuplicateItemException";
    case StatusCode::kTableAlreadyExists:
      return "TableAlreadyExistsException";
    case StatusCode::kBackupInUse:
      return "BackupInUseException";
    case StatusCode::kPointInTimeRecoveryUnavailable:
      return "PointInTimeRecoveryUnavailableException";
    case StatusCode::kInvalidRestoreTime:
      return "InvalidRestoreTimeException";
    case StatusCode::kUnknownOperation:
      return "UnknownOperationException";
  }
  return "Unknown";
}

std::string_view CancellationCode(const Status& reason) {
  switch (reason.code()) {
    case StatusCode::kOk:
      return "None";
    case StatusCode::kConditionalCheckFailed:
      return "ConditionalCheckFailed";
    case StatusCode::kTransactionConflict:
      return "TransactionConflict";
    case StatusCode::kValidation:
      return "ValidationError";
    case StatusCode::kItemCollectionSizeLimitExceeded:
      return "ItemCollectionSizeLimitExceeded";
    case StatusCode::kDuplicateItem:
      return "DuplicateItem";
    case StatusCode::kProvisionedThroughputExceeded:
      return "ProvisionedThroughputExceeded";
    case StatusCode::kThrottling:
      return "ThrottlingError";
    default:
      return StatusCodeName(reason.code());
  }
}

namespace internal {

void DieOfMissingValue(const Status& status) {
  std::fprintf(stderr, "dolmen: a program has read the value of a failed Result: %s\n",
               status.ToString().c_str());
  std::abort();
}

void DieOfResultWithoutValue() {
  std::fputs("dolmen: a program has made a Result of a Status that is a success\n", stderr);
  std::abort();
}

}  // namespace internal

}  // namespace dolmen
