// The Signature Version 4 of a request, read but not verified.
// https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_sigv.html

#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "server/request.h"
#include "server/uri.h"

namespace dolmen::server {

// The parts of a signature. They are views of the request or of `query`.
struct Signature {
  bool presigned = false;  // the signature is in the query, not in a header
  QueryParameters query = {};

  std::string_view algorithm = {};
  std::string_view credential = {};
  std::string_view signed_headers = {};  // "host;x-amz-date"
  std::string_view signature = {};       // hexadecimal
  std::string_view date = {};            // as it was sent
  std::string_view expires = {};         // seconds; presigned only
};

// Returns the JSON of DynamoDB's error if the request has a signature neither in its headers nor in
// its query. Otherwise returns nothing.
std::optional<std::string> MissingSignature(const Request& request);

// Reads the signature into `signature`. Returns nothing on success. Returns the JSON of DynamoDB's
// error if the request has no signature, has two, or has one that lacks a part.
std::optional<std::string> ReadSignature(const Request& request, Signature* signature);

}  // namespace dolmen::server
