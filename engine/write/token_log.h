// The log of ClientRequestTokens. It recognizes repeated transactions, so that each transaction is
// applied only once.
// https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_TransactWriteItems.html#DDB-TransactWriteItems-request-ClientRequestToken

#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <set>
#include <string>
#include <string_view>
#include <utility>

#include "dolmen/clock.h"
#include "dolmen/result.h"
#include "engine/base/mutex.h"
#include "engine/read/expiry_cutoff.h"
#include "engine/storage/store.h"

namespace dolmen::engine {

// A hash of a transaction: of all parts that must be equal when the transaction is repeated under
// the same token.
using RequestHash = std::array<char, 16>;

// The tokens of the transactions that were committed in the last 10 minutes. Thread-safe.
class TokenLog {
 public:
  // REQUIRES: the store outlives the log.
  explicit TokenLog(Store* store) : store_(store) {}

  // The use of a token by one running transaction. The destructor frees the token. A use must
  // not outlive the log.
  class Use {
   public:
    Use(Use&& other) noexcept
        : log_(std::exchange(other.log_, nullptr)),
          token_(other.token_),
          is_repetition_(other.is_repetition_) {}
    ~Use();

    // Returns true if the transaction was committed before, so that it must not be applied again.
    bool is_repetition() const { return is_repetition_; }

   private:
    friend class TokenLog;
    Use(TokenLog* log, std::string_view token) : log_(log), token_(token) {}

    TokenLog* log_;
    std::string_view token_;
    bool is_repetition_ = false;
  };

  // Begins the use of the token by a transaction. Reads the transaction's time from `time` after the
  // use has begun. The time is therefore not earlier than that of any transaction that was
  // committed under the token before.
  // - kTransactionInProgress: a different running transaction uses the token.
  // - kIdempotentParameterMismatch: a transaction with a different hash was committed under the
  //   token.
  // - kCorruption: the token's record is damaged.
  // REQUIRES: `token` outlives the use.
  Result<Use> Begin(std::string_view token, const RequestHash& hash, OperationTime* time);

  // Adds to the transaction's batch a record that the token was used at `now`. Adds deletions of some
  // records that are older than 10 minutes, which keeps the log small.
  // - kCorruption: an old record is damaged.
  // REQUIRES: the caller holds the use of the token.
  Status Append(std::string_view token, const RequestHash& hash, Timestamp now, WriteBatch* batch);

 private:
  Store* store_;
  Mutex mutex_;
  std::set<std::string, std::less<>> running_ DOLMEN_GUARDED_BY(mutex_);  // the tokens in use
  // The end of the last record that Append has deleted, in milliseconds since 1970. Append deletes
  // records in the order of their ends, and each call starts at this end. If a batch with a
  // deletion is not written, later calls skip that record. The record stays in the store until the
  // database is reopened, and then a call of Append deletes it.
  std::atomic<std::int64_t> deleted_until_ = 0;
};

}  // namespace dolmen::engine
