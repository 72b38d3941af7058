// The Signature Version 4 of a request, read but not verified.
// https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_sigv.html

#pragma once

#include <string>
#include <string_view>

#include "dolmen/result.h"
#include "http/uri.h"
#include "server/request.h"

namespace dolmen::server {

// The parts of a signature. They are views of the request or of `query`.
struct Signature {
  bool presigned = false;  // the signature is in the query, not in a header
  http::QueryParameters query = {};

  std::string_view algorithm = {};
  std::string_view credential = {};
  std::string_view signed_headers = {};  // "host;x-amz-date"
  std::string_view signature = {};       // hexadecimal
  std::string_view date = {};            // as it was sent
  std::string_view expires = {};         // seconds; presigned only
};

// Checks that the request has a signature, in its headers or in its query. Does not read it.
// - kValidation, with the JSON of DynamoDB's error as the message: the request has none.
Status CheckSigned(const Request& request);

// Reads the signature into `signature`.
// - kValidation, with the JSON of DynamoDB's error as the message: the request has no signature, has
//   two, or has one that lacks a part.
Status ReadSignature(const Request& request, Signature* signature);

// Returns the id of the access key in the request's signature. Returns an empty text if the request
// has no readable signature. Does not verify the signature.
std::string AccessKeyOf(const Request& request);

}  // namespace dolmen::server
