// The canonical request: the text of a request that is signed.
// https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_sigv-create-signed-request.html

#pragma once

#include <span>
#include <string>
#include <string_view>

#include "http/header_text.h"
#include "http/uri.h"

namespace dolmen::http {

// The parts of a request with the path "/", apart from its payload.
struct CanonicalParts {
  std::string_view method;
  const QueryParameters& query;
  std::span<const HeaderField> fields;
  std::string_view signed_headers;  // in lower case, sorted: "host;x-amz-date"
};

// Appends the canonical request without its last line, the hash of the payload.
// REQUIRES: `signed_headers` names each header once
void AppendCanonicalRequest(const CanonicalParts& parts, std::string* out);

}  // namespace dolmen::http
