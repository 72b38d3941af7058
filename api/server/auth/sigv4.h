// The verification of signatures, Signature Version 4.
// https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_sigv-create-signed-request.html

#pragma once

#include <array>
#include <optional>
#include <string>
#include <string_view>

#include "dolmen/clock.h"
#include "server/auth/access_keys.h"
#include "server/auth/sha256.h"
#include "server/auth/signature.h"
#include "server/request.h"

namespace dolmen::server {

// Keeps the signing keys that it made, which hold for a day.  For one thread.
class SignatureVerifier {
 public:
  // Returns the JSON of DynamoDB's error if `signature` is not one that the holder of one of the
  // keys made for this request, at a time from which it still holds: for 15 minutes, or as long as
  // a presigned one says, at most a week.  No signature is from more than 15 minutes after `now`.
  std::optional<std::string> Verify(const Request& request, const Signature& signature,
                                    const AccessKeys& keys, Timestamp now);
  // The same, as far as it can be told before the request's body is there: all but whether the
  // signature is right.
  static std::optional<std::string> CheckClaim(const Request& request, const Signature& signature,
                                               const AccessKeys& keys, Timestamp now);

 private:
  // The credential's parts: KEY/DATE/REGION/SERVICE/aws4_request.
  struct Scope {
    std::string_view key;
    std::string_view whole;  // without the key
    std::string_view date;
    std::string_view region;
    std::string_view service;
    std::string_view terminator;
  };
  // What a signature says about itself, and is so.
  struct Claim {
    std::string signed_at = {};
    Scope scope = {};
    std::string_view secret = {};
  };
  struct SigningKey {
    std::string id;  // the access key and the scope
    Digest key;
  };

  static std::optional<std::string> ReadScope(const Signature& signature, Scope* scope);
  static std::optional<std::string> CheckTime(const Signature& signature, Timestamp signed_at,
                                              Timestamp now);
  static std::optional<std::string> CheckScope(const Scope& scope, const std::string& signed_at);

  static std::optional<std::string> ReadClaim(const Request& request, const Signature& signature,
                                              const AccessKeys& keys, Timestamp now, Claim* claim);

  bool IsRight(const Request& request, const Signature& signature, const Claim& claim);
  const Digest& SigningKeyFor(const Scope& scope, std::string_view credential,
                              std::string_view secret);

  // A program has one key and one region, and a machine a few of these.
  std::array<SigningKey, 8> signing_keys_ = {};
  std::size_t next_key_ = 0;
  std::string canonical_;
  std::string to_sign_;
};

}  // namespace dolmen::server
