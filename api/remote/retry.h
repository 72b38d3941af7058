// The decisions about retries, as the standard mode of AWS's SDKs makes them for DynamoDB.
// https://docs.aws.amazon.com/sdkref/latest/guide/feature-retry-behavior.html

#pragma once

#include <chrono>
#include <cstdint>
#include <string>
#include <string_view>

#include "dolmen/result.h"
#include "engine/base/mutex.h"
#include "remote/http_pool.h"

namespace dolmen::remote {

// The kinds of results of an attempt.
enum class AttemptKind : std::uint8_t {
  kDone,       // a success, or an error that would come again
  kTransient,  // an error that may pass
  kThrottled,  // the requests are too fast
  kClock,      // the service finds the time of the signature wrong
  kExpired,    // the credentials have expired
};

struct AttemptResult {
  AttemptKind kind = AttemptKind::kDone;
  Status status = {};
  // The service may have executed the request, and has not told the result.
  bool is_ambiguous = false;
  bool was_resent = false;  // HttpResponse::was_resent
  bool is_sent = true;      // false: no connection or no credentials
};

// Returns kUnknownOperation. The message names the service's URL and the operation, and says what to do
// instead. `operation` is a name such as "GetItem" or "GetRecords".
Status MissingOperation(std::string_view url, std::string_view operation);

// Returns true if the service has refused a request because it gets too many.
bool IsThrottled(const Status& status);

// Judges the response to a request that was sent to `url`.
AttemptResult Judge(const HttpResponse& response, const std::string& url);

// Returns the pause before the retry with this number, which counts from 1. `random` is from 0 to 1. The
// pause is random up to a limit that doubles with each retry, from 25 ms, or from 1 s if the request was
// throttled, up to 20 s.
std::chrono::milliseconds PauseBefore(int retry, AttemptKind kind, double random);

// The retries that a client may make: 500 tokens. A retry takes 14 tokens, or 5 if the request was
// throttled. A success returns the tokens of its last retry, or one token. If a service is down, all
// tokens are soon taken, and each request is then sent once. Thread-safe.
class RetryBudget {
 public:
  // Takes the tokens of a retry after an attempt of this kind, and sets `*taken` to their number.
  // Returns false and takes nothing if there are too few.
  bool Take(AttemptKind kind, int* taken);
  // Returns the tokens that the last retry of a successful request has taken; 0: there was none.
  void Return(int taken);

 private:
  Mutex mutex_;
  int tokens_ DOLMEN_GUARDED_BY(mutex_) = 500;
};

}  // namespace dolmen::remote
