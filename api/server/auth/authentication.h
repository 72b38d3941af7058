// Who is let in.

#pragma once

#include <optional>
#include <string>

#include "dolmen/clock.h"
#include "server/auth/access_keys.h"
#include "server/auth/sigv4.h"
#include "server/request.h"

namespace dolmen::server {

// Without access keys everybody who signs, whatever the signature; else the holders of the keys.
// For one thread.
class Authentication {
 public:
  // REQUIRES: `keys` outlives it.
  explicit Authentication(const AccessKeys& keys) : keys_(keys) {}

  // The JSON of DynamoDB's error if the request is not let in.
  std::optional<std::string> Check(const Request& request, Timestamp now);
  // The same as far as it can be told without the request's body.
  std::optional<std::string> CheckHead(const Request& request, Timestamp now);

 private:
  const AccessKeys& keys_;
  SignatureVerifier verifier_;
};

}  // namespace dolmen::server
