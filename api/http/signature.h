// The calculation of Signature Version 4.
// https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_sigv-create-signed-request.html

#pragma once

#include <string>
#include <string_view>

#include "http/sha256.h"

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

}  // namespace dolmen::http
