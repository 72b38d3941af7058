#include "server/auth/sigv4.h"

#include <nettle/memops.h>

#include <algorithm>
#include <charconv>

#include "engine/base/status_macros.h"
#include "http/signature.h"
#include "http/signing_time.h"
#include "server/auth/signed_headers.h"
#include "server/coral_error.h"

namespace dolmen::server {
namespace {

constexpr std::chrono::minutes kWindow(15);

Status Invalid(std::string_view message) {
  return CoralStatus("InvalidSignatureException", message);
}

Status Incomplete(std::string_view message) {
  return CoralStatus("IncompleteSignatureException", message);
}

// Returns the error for a header that is not signed. Anybody between client and server may have
// added or changed that header.
Status NotSigned(std::string_view header) {
  return Invalid("'" + std::string(header) +
                 "' must be a 'SignedHeader' in the AWS Authorization.");
}

// Returns the time for which the signature is valid, counted from the time of signing.
std::chrono::seconds LifetimeOf(const Signature& signature) {
  if (!signature.presigned || signature.expires.empty()) return kWindow;
  constexpr unsigned kWeek = 7 * 24 * 3600;
  unsigned seconds = 0;
  const char* const end = signature.expires.data() + signature.expires.size();
  const auto [read, error] = std::from_chars(signature.expires.data(), end, seconds);
  if (error != std::errc() || read != end) return std::chrono::seconds(0);
  return std::chrono::seconds(std::min(seconds, kWeek));
}

}  // namespace

Status SignatureVerifier::Verify(const Request& request, const Signature& signature,
                                 const AccessKeys& keys, Timestamp now) {
  DOLMEN_ASSIGN_OR_RETURN(const Claim& claim, ReadClaim(request, signature, keys, now));
  if (IsCorrect(request, signature, claim)) return {};
  return Invalid(
      "The request signature we calculated does not match the signature you provided. Check your "
      "AWS Secret Access Key and signing method. Consult the service documentation for details.");
}

Status SignatureVerifier::CheckClaim(const Request& request, const Signature& signature,
                                     const AccessKeys& keys, Timestamp now) {
  return ReadClaim(request, signature, keys, now).status();
}

Result<SignatureVerifier::Claim> SignatureVerifier::ReadClaim(const Request& request,
                                                              const Signature& signature,
                                                              const AccessKeys& keys,
                                                              Timestamp now) {
  if (signature.algorithm != http::kSignatureAlgorithm) {
    return Incomplete("Unsupported AWS 'algorithm': '" + std::string(signature.algorithm) + "'.");
  }
  const std::optional<Timestamp> time = http::ParseSigningTime(signature.date);
  if (!time) {
    return Incomplete("Date must be in ISO-8601 'basic format'. Got '" +
                      std::string(signature.date) + "'. See http://en.wikipedia.org/wiki/ISO_8601");
  }
  DOLMEN_RETURN_IF_ERROR(CheckTime(signature, *time, now));
  Claim claim{.signed_at = http::ToSigningTime(*time)};
  DOLMEN_ASSIGN_OR_RETURN(claim.scope, ReadScope(signature));
  DOLMEN_RETURN_IF_ERROR(CheckScope(claim.scope, claim.signed_at));
  if (!AreSignedOnce(signature)) {
    return Invalid(
        "'SignedHeaders' names a header twice, or more headers than a request may have.");
  }
  if (!IsSigned("host", signature)) return NotSigned("Host' or ':authority");
  const auto key = keys.find(claim.scope.key);
  if (key == keys.end()) {
    return CoralStatus("UnrecognizedClientException",
                       "The security token included in the request is invalid.");
  }
  claim.secret = key->second;
  const std::string_view header = UnsignedHeader(request, signature);
  if (!header.empty()) return NotSigned(header);
  return claim;
}

Status SignatureVerifier::CheckTime(const Signature& signature, Timestamp signed_at,
                                    Timestamp now) {
  const std::string time = http::ToSigningTime(signed_at);
  const std::chrono::seconds lifetime = LifetimeOf(signature);
  if (now > signed_at + lifetime) {
    const std::string text =
        lifetime == kWindow ? "15 min." : std::to_string(lifetime.count()) + " s.";
    return Invalid("Signature expired: " + time + " is now earlier than " +
                   http::ToSigningTime(now - lifetime) + " (" + http::ToSigningTime(now) + " - " +
                   text + ")");
  }
  if (signed_at > now + kWindow) {
    return Invalid("Signature not yet current: " + time + " is still later than " +
                   http::ToSigningTime(now + kWindow) + " (" + http::ToSigningTime(now) +
                   " + 15 min.)");
  }
  return {};
}

Result<SignatureVerifier::Scope> SignatureVerifier::ReadScope(const Signature& signature) {
  const std::string_view credential = signature.credential;
  if (std::count(credential.begin(), credential.end(), '/') != 4) {
    return Incomplete(
        "Credential must have exactly 5 slash-delimited elements, e.g. "
        "keyid/date/region/service/term, got '" +
        std::string(credential) + "'");
  }
  std::string_view rest = credential;
  const auto next = [&rest] {
    const std::string_view part = rest.substr(0, rest.find('/'));
    rest.remove_prefix(std::min(rest.size(), part.size() + 1));
    return part;
  };
  Scope scope;
  scope.key = next();
  scope.whole = rest;
  scope.date = next();
  scope.region = next();
  scope.service = next();
  scope.terminator = next();
  return scope;
}

Status SignatureVerifier::CheckScope(const Scope& scope, const std::string& signed_at) {
  std::string wrong;
  if (scope.region.empty()) wrong = "Credential should be scoped to a valid region. ";
  if (scope.service != http::kSignatureService) {
    wrong.append("Credential should be scoped to correct service: 'dynamodb'. ");
  }
  if (scope.terminator != http::kSignatureTerminator) {
    wrong.append("Credential should be scoped with a valid terminator: 'aws4_request', not '")
        .append(scope.terminator)
        .append("'. ");
  }
  if (const std::string date = signed_at.substr(0, 8); scope.date != date) {
    wrong.append("Date in Credential scope does not match YYYYMMDD from ISO-8601 version of date ")
        .append("from HTTP: '" + std::string(scope.date) + "' != '" + date + "', from '")
        .append(signed_at + "'. ");
  }
  if (wrong.empty()) return {};
  return Invalid(wrong.substr(0, wrong.size() - 1));
}

bool SignatureVerifier::IsCorrect(const Request& request, const Signature& signature,
                                  const Claim& claim) {
  canonical_.clear();
  http::AppendCanonicalRequest({.method = request.method,
                                .path = http::PathOf(request.target),
                                .query = signature.query,
                                .fields = {request.fields.data(), request.fields.size()},
                                .signed_headers = signature.signed_headers},
                               &canonical_);
  if (IsPayloadUnsigned(request, signature)) {
    canonical_.append(kUnsignedPayload);
  } else {
    http::AppendHex(http::Sha256Of(request.body), &canonical_);
  }
  std::string expected;
  http::AppendSignature(SigningKeyFor(claim.scope, signature.credential, claim.secret),
                        claim.signed_at, claim.scope.whole, canonical_, &expected);
  return expected.size() == signature.signature.size() &&
         memeql_sec(expected.data(), signature.signature.data(), expected.size()) != 0;
}

const http::Digest& SignatureVerifier::SigningKeyFor(const Scope& scope,
                                                     std::string_view credential,
                                                     std::string_view secret) {
  for (const SigningKey& known : signing_keys_) {
    if (known.id == credential) return known.key;
  }
  SigningKey& added = signing_keys_[next_key_];
  next_key_ = (next_key_ + 1) % signing_keys_.size();
  added = {std::string(credential), http::SigningKey(secret, {.date = scope.date,
                                                              .region = scope.region,
                                                              .service = scope.service,
                                                              .terminator = scope.terminator})};
  return added.key;
}

}  // namespace dolmen::server
