// The signatures of requests.

#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "dolmen/clock.h"
#include "engine/base/mutex.h"
#include "http/sha256.h"
#include "remote/credentials.h"

namespace dolmen::remote {

// A signer of POST requests to "/". Keeps the signing key of the latest request, which is valid for a
// day. Thread-safe.
class Signer {
 public:
  explicit Signer(std::string region) : region_(std::move(region)) {}

  // Returns the lines of a signed header: Host, Content-Type, X-Amz-Target, X-Amz-Date,
  // X-Amz-Security-Token if the credentials have a session token, and Authorization.
  std::vector<std::string> Sign(std::string_view host, std::string_view target,
                                std::string_view body, const Credentials& credentials,
                                Timestamp now);

 private:
  http::Digest KeyFor(const Credentials& credentials, std::string_view date);

  const std::string region_;
  Mutex mutex_;
  std::string secret_ DOLMEN_GUARDED_BY(mutex_);
  std::string date_ DOLMEN_GUARDED_BY(mutex_);
  http::Digest key_ DOLMEN_GUARDED_BY(mutex_) = {};
};

}  // namespace dolmen::remote
