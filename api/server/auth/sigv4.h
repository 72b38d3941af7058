// The verification of Signature Version 4.
// https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_sigv-create-signed-request.html

#pragma once

#include <array>
#include <string>
#include <string_view>

#include "dolmen/clock.h"
#include "dolmen/result.h"
#include "http/sha256.h"
#include "server/auth/access_keys.h"
#include "server/auth/signature.h"
#include "server/request.h"

namespace dolmen::server {

// A verifier that caches derived signing keys, which are valid for a day. Not thread-safe.
class SignatureVerifier {
 public:
  // Checks that the signature was made with one of the keys and is valid at `now`. A signature in a
  // header is valid for 15 minutes after the time of signing. A presigned request states its own
  // period of validity, up to a week. The time of signing may be up to 15 minutes after `now`.
  // - kValidation, with the JSON of DynamoDB's error as the message: the signature is not valid.
  Status Verify(const Request& request, const Signature& signature, const AccessKeys& keys,
                Timestamp now);
  // Checks all parts of the signature except its value, which may depend on the request's body.
  // Returns the errors of Verify.
  static Status CheckClaim(const Request& request, const Signature& signature,
                           const AccessKeys& keys, Timestamp now);

 private:
  // The parts of a credential: KEY/DATE/REGION/SERVICE/aws4_request.
  struct Scope {
    std::string_view key;
    std::string_view whole;  // all parts but the key
    std::string_view date;
    std::string_view region;
    std::string_view service;
    std::string_view terminator;
  };
  // The data of a signature that ReadClaim has checked, and the secret of the access key.
  struct Claim {
    std::string signed_at = {};
    Scope scope = {};
    std::string_view secret = {};
  };
  struct SigningKey {
    std::string id;  // the access key and the scope
    http::Digest key;
  };

  static Result<Scope> ReadScope(const Signature& signature);
  static Status CheckTime(const Signature& signature, Timestamp signed_at, Timestamp now);
  static Status CheckScope(const Scope& scope, const std::string& signed_at);

  static Result<Claim> ReadClaim(const Request& request, const Signature& signature,
                                 const AccessKeys& keys, Timestamp now);

  bool IsCorrect(const Request& request, const Signature& signature, const Claim& claim);
  const http::Digest& SigningKeyFor(const Scope& scope, std::string_view credential,
                                    std::string_view secret);

  // The cached keys. A server usually needs few signing keys, because a client uses one access key
  // and one region.
  std::array<SigningKey, 8> signing_keys_ = {};
  std::size_t next_key_ = 0;
  std::string canonical_;
};

}  // namespace dolmen::server
