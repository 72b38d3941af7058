// The outcome of an operation: success, or one of a closed set of errors that are named like
// DynamoDB's exceptions, with a message for people.
//
// Nothing in Dolmen throws across its API: every call that can fail returns a Status or a Result
// (result.h).  Branch on code(); show message().  Where DynamoDB has a message for the case, it is
// DynamoDB's, word for word.

#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "dolmen/lifetime.h"

namespace dolmen {

class StoredItem;

enum class StatusCode : std::uint8_t {
  kOk,
  kValidation,              // ValidationException: the request is wrong; mend it before retrying
  kConditionalCheckFailed,  // ConditionalCheckFailedException: the condition was false
  kTransactionCanceled,     // TransactionCanceledException: see reasons()
  kTransactionConflict,     // TransactionConflictException: another write was faster; retry
  kTransactionInProgress,   // TransactionInProgressException: one with the same token is running
  kIdempotentParameterMismatch,  // IdempotentParameterMismatchException: the token was another's
  kLimitExceeded,                // LimitExceededException: wait until what is under way is done
  kResourceNotFound,             // ResourceNotFoundException: no such table, or thing of a model
  kResourceInUse,                // ResourceInUseException: it exists, or is open elsewhere
  kTrimmedDataAccess,  // TrimmedDataAccessException: stream records that are no longer retained
  kExpiredIterator,    // ExpiredIteratorException: get another shard iterator
  kCorruption,         // stored bytes are not what was written, or not a database of Dolmen's
  kUnsupportedFormat,  // the database was written by a newer release
  kStorage,            // the file system refused: full disk, permissions, input/output error
};

// A value; copies share their message and are cheap.  Const methods may be called from any thread.
class [[nodiscard]] Status {
 public:
  Status() = default;  // success

  static Status Validation(std::string message);
  // `item` is the item as the condition saw it; null if there was none or it was not asked for.
  static Status ConditionalCheckFailed(std::shared_ptr<const StoredItem> item = nullptr);
  // One reason per action of the transaction, in request order; an ok reason is DynamoDB's "None".
  static Status TransactionCanceled(std::vector<Status> reasons);
  static Status TransactionConflict();
  // For a conflict of versions, which is not DynamoDB's: what was changed meanwhile.
  static Status TransactionConflict(std::string message);
  static Status TransactionInProgress();
  static Status IdempotentParameterMismatch();
  static Status LimitExceeded(std::string message);
  static Status ResourceNotFound(std::string message);
  static Status ResourceInUse(std::string message);
  static Status TrimmedDataAccess(std::string message);
  static Status ExpiredIterator(std::string message);
  static Status Corruption(std::string message);
  static Status UnsupportedFormat(std::string message);
  static Status Storage(std::string message);

  bool ok() const { return state_ == nullptr; }
  StatusCode code() const;

  // For people; empty on success.
  const std::string& message() const DOLMEN_LIFETIME_BOUND;

  // The item that failed the condition.  Null unless code() is kConditionalCheckFailed, an item
  // existed, and the request asked for it (ReturnValuesOnConditionCheckFailure).
  const StoredItem* item() const DOLMEN_LIFETIME_BOUND;

  // Why each action of a transaction failed; empty unless code() is kTransactionCanceled.
  const std::vector<Status>& reasons() const DOLMEN_LIFETIME_BOUND;

  // "OK", or the code's name and the message: "ValidationException: Item size has exceeded ...".
  std::string ToString() const;

  // Says at the call site that the outcome does not matter.
  void IgnoreError() const {}

 private:
  struct State;
  explicit Status(std::shared_ptr<const State> state) : state_(std::move(state)) {}

  std::shared_ptr<const State> state_;  // null: success
};

// DynamoDB's name of the exception ("ValidationException"), or Dolmen's own in the same manner.
std::string_view StatusCodeName(StatusCode code);

// The Code of a transaction's cancellation reason: "None", "ConditionalCheckFailed",
// "ValidationError", "TransactionConflict".
// https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_CancellationReason.html
std::string_view CancellationCode(const Status& reason);

}  // namespace dolmen
