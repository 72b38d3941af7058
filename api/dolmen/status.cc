#include "dolmen/status.h"

#include "dolmen/item_view.h"

namespace dolmen {

struct Status::State {
  StatusCode code = StatusCode::kOk;
  std::string message;
  std::shared_ptr<const StoredItem> item = nullptr;
  std::vector<Status> reasons = {};
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

Status Status::Validation(std::string message) {
  return Status(std::make_shared<State>(State{StatusCode::kValidation, std::move(message)}));
}

Status Status::ConditionalCheckFailed(std::shared_ptr<const StoredItem> item) {
  return Status(std::make_shared<State>(State{StatusCode::kConditionalCheckFailed,
                                              "The conditional request failed", std::move(item)}));
}

Status Status::TransactionCanceled(std::vector<Status> reasons) {
  std::string message = CanceledMessage(reasons);
  return Status(std::make_shared<State>(
      State{StatusCode::kTransactionCanceled, std::move(message), nullptr, std::move(reasons)}));
}

Status Status::TransactionConflict() {
  return TransactionConflict("Transaction is ongoing for the item");
}

Status Status::TransactionConflict(std::string message) {
  return Status(
      std::make_shared<State>(State{StatusCode::kTransactionConflict, std::move(message)}));
}

Status Status::TransactionInProgress() {
  return Status(std::make_shared<State>(
      State{StatusCode::kTransactionInProgress,
            "The transaction with the given request token is already in progress."}));
}

Status Status::IdempotentParameterMismatch() {
  return Status(std::make_shared<State>(
      State{StatusCode::kIdempotentParameterMismatch,
            "The request token was used for another transaction within the last ten minutes."}));
}

Status Status::LimitExceeded(std::string message) {
  return Status(std::make_shared<State>(State{StatusCode::kLimitExceeded, std::move(message)}));
}

Status Status::ResourceNotFound(std::string message) {
  return Status(std::make_shared<State>(State{StatusCode::kResourceNotFound, std::move(message)}));
}

Status Status::ResourceInUse(std::string message) {
  return Status(std::make_shared<State>(State{StatusCode::kResourceInUse, std::move(message)}));
}

Status Status::TrimmedDataAccess(std::string message) {
  return Status(std::make_shared<State>(State{StatusCode::kTrimmedDataAccess, std::move(message)}));
}

Status Status::ExpiredIterator(std::string message) {
  return Status(std::make_shared<State>(State{StatusCode::kExpiredIterator, std::move(message)}));
}

Status Status::Corruption(std::string message) {
  return Status(std::make_shared<State>(State{StatusCode::kCorruption, std::move(message)}));
}

Status Status::UnsupportedFormat(std::string message) {
  return Status(std::make_shared<State>(State{StatusCode::kUnsupportedFormat, std::move(message)}));
}

Status Status::Storage(std::string message) {
  return Status(std::make_shared<State>(State{StatusCode::kStorage, std::move(message)}));
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
    case StatusCode::kCorruption:
      return "CorruptionException";
    case StatusCode::kUnsupportedFormat:
      return "UnsupportedFormatException";
    case StatusCode::kStorage:
      return "StorageException";
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
    default:
      return StatusCodeName(reason.code());
  }
}

}  // namespace dolmen
