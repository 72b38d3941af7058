// The tokens of transactions that a client has sent.
//
// A repeated transaction can have other actions on the service, because its items have changed. The service
// then reports that the token was used with other actions. It reports the same error for a different
// transaction of the program. The client tells both apart by what the program has asked for.

#pragma once

#include <cstddef>
#include <cstdint>
#include <list>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "dolmen/clock.h"
#include "engine/base/mutex.h"
#include "http/sha256.h"

namespace dolmen::remote {

// The tokens of the last ten minutes, with the transactions for which they may have been used up.
// Thread-safe.
class UsedTokens {
 public:
  // `clock` measures the ten minutes. A token beyond `tokens_max`, at least 1, replaces the oldest token.
  explicit UsedTokens(SharedClock clock, std::size_t tokens_max = 10'000)
      : clock_(std::move(clock)), tokens_max_(tokens_max) {}

  // The transaction for which this client may have used up a token.
  enum class Owner : std::uint8_t {
    kUnknown,  // none
    kSame,     // only one that asked for the same
    kOther,    // one that asked for something else; it may still be running
  };

  // A running call with a token. Other calls see it until it is destroyed, so it is created before the
  // first request. It must not outlive `tokens`.
  class Use {
   public:
    // `asked` is the hash of what the program has asked for.
    Use(UsedTokens* tokens, std::string token, const http::Digest& asked);
    ~Use();
    Use(const Use&) = delete;
    Use& operator=(const Use&) = delete;

    Owner FindOwner() const;

    // Remembers that the service has executed this transaction, and so no other one with the token.
    void Executed();
    // Remembers that the service may have executed this transaction.
    void MayBeExecuted();

   private:
    UsedTokens* const tokens_;
    const std::string token_;
    const http::Digest asked_;
  };

 private:
  struct Record {
    std::string token;
    // The hashes of the transactions that may have been executed: one or two of them. A third one would
    // change no answer of FindOwner.
    std::vector<http::Digest> asked;
    Timestamp end;  // the time at which the record is forgotten
  };
  using Records = std::list<Record>;

  // Returns the token's record as the newest one, without the transactions of a record that has ended.
  Record* Renew(const std::string& token) DOLMEN_REQUIRES(mutex_);

  const SharedClock clock_;
  const std::size_t tokens_max_;
  Mutex mutex_;
  std::vector<const Use*> running_ DOLMEN_GUARDED_BY(mutex_);
  Records records_ DOLMEN_GUARDED_BY(mutex_);  // the oldest first
  // The records by their tokens, which the records own.
  std::map<std::string_view, Records::iterator> by_token_ DOLMEN_GUARDED_BY(mutex_);
};

}  // namespace dolmen::remote
