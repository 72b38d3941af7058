// The signature of a request, Signature Version 4, as it says it to be.
// https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_sigv.html

#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "server/request.h"
#include "server/uri.h"

namespace dolmen::server {

// Where a signature and what belongs to it were found.  Views of the request, or of `query`.
struct Signature {
  bool presigned = false;  // it is in the query
  QueryParameters query = {};

  std::string_view algorithm = {};
  std::string_view credential = {};
  std::string_view signed_headers = {};  // "host;x-amz-date"
  std::string_view signature = {};       // hexadecimal
  std::string_view date = {};            // as it was sent
  std::string_view expires = {};         // seconds; presigned only
};

// Fills `signature`.  Returns the JSON of DynamoDB's error if the request has none, one too many,
// or one that lacks a part.
std::optional<std::string> ReadSignature(const Request& request, Signature* signature);

}  // namespace dolmen::server
