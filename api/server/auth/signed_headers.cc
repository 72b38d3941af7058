#include "server/auth/signed_headers.h"

#include <algorithm>
#include <boost/container/static_vector.hpp>

#include "http/header_text.h"
#include "http/uri.h"

namespace dolmen::server {

bool IsPayloadUnsigned(const Request& request, const Signature& signature) {
  return request.amz_content_sha256 == kUnsignedPayload ||
         http::Find(signature.query, "X-Amz-Content-Sha256") == kUnsignedPayload;
}

bool AreSignedOnce(const Signature& signature) {
  boost::container::static_vector<std::string_view, kHeaderFieldsMax> names;
  bool once = true;
  http::ForEachPart(signature.signed_headers, ';', [&](std::string_view name) {
    once = once && names.size() < names.capacity() &&
           std::ranges::none_of(names,
                                [&](std::string_view one) { return http::IsSameName(one, name); });
    if (once) names.push_back(name);
  });
  return once;
}

bool IsSigned(std::string_view name, const Signature& signature) {
  bool found = false;
  http::ForEachPart(signature.signed_headers, ';', [&](std::string_view header) {
    found = found || http::IsSameName(header, name);
  });
  return found;
}

std::string_view UnsignedHeader(const Request& request, const Signature& signature) {
  for (const http::HeaderField& field : request.fields) {
    const auto begins_with = [&](std::string_view prefix) {
      return http::IsSameName(field.name.substr(0, prefix.size()), prefix);
    };
    const bool has_to_be = begins_with("x-amz-") || begins_with("x-dolmen-");
    if (has_to_be && !IsSigned(field.name, signature)) return field.name;
  }
  return {};
}

}  // namespace dolmen::server
