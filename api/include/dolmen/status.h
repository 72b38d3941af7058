// The outcome of an operation: a success, or one of a closed set of errors that are named like
// DynamoDB's exceptions, with a message for people.
//
// A program branches on code() and shows message(). Where DynamoDB has a message for the case, message()
// is DynamoDB's text, word for word.
//
//   const auto put = table.PutItem({.item = item, .condition = AttributeNotExists("PK")});
//   if (put.status().code() == StatusCode::kConditionalCheckFailed) return AlreadyTaken();
//   if (!put.ok()) std::cerr << put.status().ToString() << '\n';
//
// https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/Programming.Errors.html

#pragma once

#include "dolmen/internal/hide_macros.h"

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "dolmen/internal/lifetime.h"

namespace dolmen {

class StoredItem;
template <typename T>
class Result;

// The kinds of outcomes. Each comment names DynamoDB's exception, if there is one, and says what
// the caller can do.
enum class StatusCode : std::uint8_t {
  // Success.
  kOk,
  // ValidationException: the request is wrong. Correct it before retrying.
  kValidation,
  // ConditionalCheckFailedException: the condition was false. item() returns the item if the
  // request asked for it.
  kConditionalCheckFailed,
  // TransactionCanceledException: at least one action failed. reasons() has the outcome of each
  // action.
  kTransactionCanceled,
  // TransactionConflictException: the write conflicts with a concurrent write. Retry.
  kTransactionConflict,
  // TransactionInProgressException: a transaction with the same token is running. Retry later.
  kTransactionInProgress,
  // IdempotentParameterMismatchException: the token was used for a different transaction.
  kIdempotentParameterMismatch,
  // LimitExceededException: too many changes of a table at once. Wait until the running change has
  // ended.
  kLimitExceeded,
  // ResourceNotFoundException: the table, stream or other resource does not exist. An item that
  // does not exist is not an error.
  kResourceNotFound,
  // ResourceInUseException: the resource exists already (a table), or is already in use (an open
  // database, a running subscription).
  kResourceInUse,
  // TrimmedDataAccessException: the stream records are no longer retained.
  kTrimmedDataAccess,
  // ExpiredIteratorException: get a new shard iterator.
  kExpiredIterator,
  // ProvisionedThroughputExceededException: the requests are too fast for the table or an index.
  // Retry after a pause. Only a simulation (simulate.h) and a remote database (Database::Connect)
  // return this code and the next four.
  kProvisionedThroughputExceeded,
  // ThrottlingException: the requests are too fast at the moment. Retry after a pause.
  kThrottling,
  // RequestLimitExceeded: the requests are too fast for the account. Retry after a pause.
  kRequestLimitExceeded,
  // InternalServerError: the request failed, but a write may have taken effect. Retry.
  kInternalServerError,
  // ServiceUnavailable: the request failed, but a write may have taken effect. Retry. From a remote
  // database the message says if the request was not executed.
  kServiceUnavailable,
  // Stored bytes are damaged, or the files are not a Dolmen database.
  kCorruption,
  // A newer release of Dolmen wrote the database.
  kUnsupportedFormat,
  // The file system reported an error: a full disk, missing permissions, an input or output error.
  kStorage,
  // ItemCollectionSizeLimitExceededException: the items with one partition key, and their entries
  // in local indexes, are too large. Delete items. Only a simulation or a remote
  // database returns this code.
  kItemCollectionSizeLimitExceeded,
  // DuplicateItemException: an INSERT (Database::Execute) found an item with the same key.
  kDuplicateItem,
  // TableAlreadyExistsException: the table into which a backup is restored exists. Choose another name.
  kTableAlreadyExists,
  // BackupInUseException: the backup is being restored. Retry later.
  kBackupInUse,
  // PointInTimeRecoveryUnavailableException: the table's changes are not recorded. Enable the
  // recovery with UpdateContinuousBackups.
  kPointInTimeRecoveryUnavailable,
  // InvalidRestoreTimeException: the time is outside the table's recovery period.
  kInvalidRestoreTime,
  // UnknownOperationException: the service does not have the operation. The message names the operation
  // and says what to do instead. Only a remote database returns this code.
  kUnknownOperation,
};

// A limit that a request has exceeded.
// https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_ThrottlingReason.html
struct ThrottlingReason {
  // The kind of resource, the kind of operation and the limit, for example
  // "TableReadProvisionedThroughputExceeded" or "IndexWriteKeyRangeThroughputExceeded".
  std::string reason = {};
  std::string table = {};
  std::string index = {};  // empty: the table itself

  friend bool operator==(const ThrottlingReason&, const ThrottlingReason&) = default;
};

// A success or an error. Copies share the error's contents, so copying is cheap; success allocates
// nothing. The compiler warns if the caller drops a Status. Const methods are thread-safe.
class [[nodiscard]] Status {
 public:
  // Makes a success.
  Status() = default;

  // Make an error. Functions without the parameter `message` use a fixed text.
  static Status Validation(std::string message);
  // `item` is the item that failed the condition. Null if the item did not exist, or if the
  // request did not ask for it.
  static Status ConditionalCheckFailed(std::shared_ptr<const StoredItem> item = nullptr);
  // `reasons` has one Status per action, in the order of the request. A success means that the
  // action did not fail; DynamoDB calls that reason "None".
  static Status TransactionCanceled(std::vector<Status> reasons);
  static Status TransactionConflict();
  // Makes the error of optimistic locking, which DynamoDB does not have. `message` says what a
  // different writer has changed.
  static Status TransactionConflict(std::string message);
  static Status TransactionInProgress();
  static Status IdempotentParameterMismatch();
  static Status LimitExceeded(std::string message);
  static Status ResourceNotFound(std::string message);
  static Status ResourceInUse(std::string message);
  static Status TrimmedDataAccess(std::string message);
  static Status ExpiredIterator(std::string message);
  static Status ProvisionedThroughputExceeded();
  static Status Throttling();
  static Status RequestLimitExceeded();
  static Status InternalServerError();
  static Status ServiceUnavailable();
  static Status Corruption(std::string message);
  static Status UnsupportedFormat(std::string message);
  static Status Storage(std::string message);
  static Status ItemCollectionSizeLimitExceeded();
  static Status DuplicateItem();
  static Status TableAlreadyExists(std::string_view table);
  static Status BackupInUse(std::string message);
  static Status PointInTimeRecoveryUnavailable(std::string_view table);
  static Status InvalidRestoreTime(std::string message);
  static Status UnknownOperation(std::string message);

  // Returns the same error with another message. Returns a success unchanged.
  Status WithMessage(std::string message) const;

  // Returns the same error with the limits that the request has exceeded. Returns a success
  // unchanged.
  Status WithThrottlingReasons(std::vector<ThrottlingReason> reasons) const;

  // Returns a success in place of an error with this code, and every other Status unchanged. For a
  // caller to whom this error means that nothing is left to do.
  //
  //   return table.DeleteItem(input).status().Ignoring(StatusCode::kConditionalCheckFailed);
  Status Ignoring(StatusCode code) const { return this->code() == code ? Status() : *this; }

  // Calls `f` after a success and returns the Status or the Result that `f` returns. Returns an error
  // and does not call `f`.
  template <typename F>
  auto and_then(F&& f) const -> std::invoke_result_t<F> {
    if (!ok()) return *this;
    return std::forward<F>(f)();
  }

  // Returns `value` after a success, and otherwise the error.
  template <typename T>
  Result<T> and_return(T value) const {
    if (!ok()) return *this;
    return value;
  }

  bool ok() const { return !state_; }
  StatusCode code() const;

  // The references and pointers below are valid until this Status is assigned to, moved from or
  // destroyed.

  // Returns the human-readable message, which is empty on success.
  const std::string& message() const DOLMEN_LIFETIME_BOUND;

  // Returns the item that failed the condition. Null unless code() is kConditionalCheckFailed, the
  // item existed, and the request set return_item_on_condition_failure.
  const StoredItem* item() const DOLMEN_LIFETIME_BOUND;

  // Returns the outcome of each action of a transaction, in the order of the request. Empty unless
  // code() is kTransactionCanceled.
  const std::vector<Status>& reasons() const DOLMEN_LIFETIME_BOUND;

  // Returns the limits that the request has exceeded. Empty unless a simulation or a service has
  // throttled it.
  const std::vector<ThrottlingReason>& throttling_reasons() const DOLMEN_LIFETIME_BOUND;

  // Returns "OK", or the code's name and the message: "ValidationException: Item size has ...".
  std::string ToString() const;

  // Does nothing. A call shows that the caller ignores this Status on purpose.
  void IgnoreError() const {}

 private:
  struct State;
  explicit Status(State state);

  std::shared_ptr<const State> state_;  // null: success
};

// Returns DynamoDB's name of the exception ("ValidationException"); "OK" for kOk. For
// kCorruption, kUnsupportedFormat and kStorage DynamoDB has no exception; Dolmen's names have the same form
// ("CorruptionException").
std::string_view StatusCodeName(StatusCode code);

// Returns the Code that DynamoDB gives to a transaction's cancellation reason: "None",
// "ConditionalCheckFailed", "ValidationError", "TransactionConflict",
// "ProvisionedThroughputExceeded", "ThrottlingError", "ItemCollectionSizeLimitExceeded", "DuplicateItem".
// https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_CancellationReason.html
std::string_view CancellationCode(const Status& reason);

}  // namespace dolmen

#include "dolmen/internal/show_macros.h"
