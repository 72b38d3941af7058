// The authentication of requests.

#pragma once

#include <string>
#include <string_view>

#include "dolmen/clock.h"
#include "dolmen/result.h"
#include "dolmen/wire.h"
#include "server/auth/access_keys.h"
#include "server/auth/sigv4.h"
#include "server/request.h"

namespace dolmen::server {

// A check of the signatures of requests. Without access keys it accepts every well-formed
// signature. With access keys it accepts only correct signatures by one of the keys. Not
// thread-safe.
class Authentication {
 public:
  // If `requires_signed_payload` is true and there are keys, a signature must cover the body.
  // REQUIRES: `keys` outlives this object.
  explicit Authentication(const AccessKeys& keys, bool requires_signed_payload = false)
      : keys_(keys), requires_signed_payload_(requires_signed_payload) {}

  // Checks the signature of a request.
  // - kValidation, with the JSON of DynamoDB's error as the message: the signature is missing,
  //   incomplete or not accepted.
  Status Check(const Request& request, Timestamp now);
  // Returns the region for which the client has signed the request of the last Check. Returns
  // kDefaultRegion if Check has rejected this request, or if the signature names no region. Valid
  // until the next call of Check.
  std::string_view region() const { return region_; }

  // Makes all checks that do not need the request's body. Returns the errors of Check.
  Status CheckHead(const Request& request, Timestamp now);

 private:
  // Reads the signature, and checks that it covers the body if it must.
  Status Read(const Request& request, Signature* signature) const;

  const AccessKeys& keys_;
  const bool requires_signed_payload_;
  SignatureVerifier verifier_;
  std::string region_{kDefaultRegion};
};

}  // namespace dolmen::server
