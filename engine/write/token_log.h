// ClientRequestTokens: which transactions were done, so that doing one again does nothing.
// https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_TransactWriteItems.html#DDB-TransactWriteItems-request-ClientRequestToken

#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <mutex>
#include <set>
#include <string>
#include <string_view>
#include <utility>

#include "dolmen/clock.h"
#include "dolmen/result.h"
#include "engine/storage/store.h"

namespace dolmen::engine {

// What a transaction asks for, as far as it has to be the same under the same token.
using RequestHash = std::array<char, 16>;

// Callable from any number of threads.
class TokenLog {
 public:
  // Both outlive the log.
  TokenLog(Store* store, Clock* clock) : store_(store), clock_(clock) {}

  // A token in use by a transaction that is running.  Free again when this is destroyed.
  class Claim {
   public:
    Claim(Claim&& other) noexcept
        : log_(std::exchange(other.log_, nullptr)), token_(other.token_), done_(other.done_) {}
    ~Claim();

    // The transaction was done already.
    bool done() const { return done_; }

   private:
    friend class TokenLog;
    Claim(TokenLog* log, std::string_view token) : log_(log), token_(token) {}

    TokenLog* log_;
    std::string_view token_;
    bool done_ = false;
  };

  // kTransactionInProgress: the token is claimed.  kIdempotentParameterMismatch: a transaction with
  // another hash was done under it, and is remembered.  `token` outlives the claim.
  Result<Claim> Begin(std::string_view token, const RequestHash& hash);

  // Adds to the transaction's batch that it was done; and deletes some of what nobody needs to
  // remember, so that the log does not grow for ever.
  Status Append(std::string_view token, const RequestHash& hash, WriteBatch* batch);

 private:
  Store* store_;
  Clock* clock_;
  std::mutex mutex_;
  std::set<std::string, std::less<>> running_;
  // Milliseconds since 1970.  Tokens that ended before are deleted; or, if the batch that was to do
  // it failed, are so when the database has been opened again.
  std::atomic<std::int64_t> forgotten_until_ = 0;
};

}  // namespace dolmen::engine
