// The calculation of Signature Version 4: the text of a request that is signed, and its signature.
// https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_sigv-create-signed-request.html

#pragma once

#include <span>
#include <string>
#include <string_view>

#include "http/header_text.h"
#include "http/sha256.h"
#include "http/uri.h"

namespace dolmen::http {

inline constexpr std::string_view kSignatureAlgorithm = "AWS4-HMAC-SHA256";
inline constexpr std::string_view kSignatureService = "dynamodb";
inline constexpr std::string_view kSignatureTerminator = "aws4_request";

// The parts of a credential's scope: DATE/REGION/SERVICE/aws4_request.
struct SigningScope {
  std::string_view date;  // "20150830"
  std::string_view region;
  std::string_view service = kSignatureService;
  std::string_view terminator = kSignatureTerminator;
};

// Returns the key that is derived from a secret. It is valid for the scope's day.
Digest SigningKey(std::string_view secret, const SigningScope& scope);

// Appends the signature, 64 hexadecimal digits. `signed_at` is in the form "20150830T123600Z", and
// `scope` in the form "20150830/us-east-1/dynamodb/aws4_request".
void AppendSignature(const Digest& key, std::string_view signed_at, std::string_view scope,
                     std::string_view canonical_request, std::string* out);

// The parts of a request, apart from its payload.
struct CanonicalParts {
  std::string_view method;
  std::string_view path;  // as it is sent, not decoded
  const QueryParameters& query;
  std::span<const HeaderField> fields;
  std::string_view signed_headers;  // in lower case, sorted: "host;x-amz-date"
};

// Appends the canonical request without its last line, the hash of the payload.
// REQUIRES: `signed_headers` names each header once
void AppendCanonicalRequest(const CanonicalParts& parts, std::string* out);

}  // namespace dolmen::http
