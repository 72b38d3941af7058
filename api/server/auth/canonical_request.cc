#include "server/auth/canonical_request.h"

#include <algorithm>
#include <boost/container/static_vector.hpp>
#include <utility>
#include <vector>

#include "server/header_text.h"
#include "server/uri.h"

namespace dolmen::server {
namespace {

// Calls `call` with each part of `list` between separators.
template <typename Function>
void ForEachPart(std::string_view list, char separator, const Function& call) {
  for (;;) {
    const std::size_t end = list.find(separator);
    call(list.substr(0, end));
    if (end == list.npos) return;
    list.remove_prefix(end + 1);
  }
}

// Appends the sorted parameters of the query, except the signature itself.
void AppendQuery(const QueryParameters& query, std::string* out) {
  std::vector<std::pair<std::string, std::string>> encoded;
  for (const auto& [name, value] : query) {
    if (name == "X-Amz-Signature") continue;
    auto& [encoded_name, encoded_value] = encoded.emplace_back();
    AppendUriEncoded(name, {}, &encoded_name);
    AppendUriEncoded(value, {}, &encoded_value);
  }
  std::sort(encoded.begin(), encoded.end());
  for (std::size_t i = 0; i < encoded.size(); ++i) {
    if (i != 0) out->push_back('&');
    out->append(encoded[i].first).append("=").append(encoded[i].second);
  }
}

// Appends the words of the value, separated by one space each.
void AppendValue(std::string_view value, std::string* out) {
  bool first = true;
  ForEachPart(value, ' ', [&](std::string_view word) {
    if (word.empty()) return;
    if (!std::exchange(first, false)) out->push_back(' ');
    out->append(word);
  });
}

// Appends "name:value". Further values of the same name follow after a comma.
void AppendHeader(const Request& request, std::string_view name, std::string* out) {
  out->append(name).push_back(':');
  bool first = true;
  for (const HeaderField& field : request.fields) {
    if (!IsSameName(field.name, name)) continue;
    if (!std::exchange(first, false)) out->push_back(',');
    AppendValue(field.value, out);
  }
  out->push_back('\n');
}

}  // namespace

void AppendCanonicalRequest(const Request& request, const Signature& signature, std::string* out) {
  out->append(request.method).append("\n/\n");
  AppendQuery(signature.query, out);
  out->push_back('\n');
  ForEachPart(signature.signed_headers, ';',
              [&](std::string_view name) { AppendHeader(request, name, out); });
  out->append("\n").append(signature.signed_headers).append("\n");
}

bool IsPayloadUnsigned(const Request& request, const Signature& signature) {
  return request.amz_content_sha256 == kUnsignedPayload ||
         Find(signature.query, "X-Amz-Content-Sha256") == kUnsignedPayload;
}

bool AreSignedOnce(const Signature& signature) {
  boost::container::static_vector<std::string_view, kHeaderFieldsMax> names;
  bool once = true;
  ForEachPart(signature.signed_headers, ';', [&](std::string_view name) {
    once = once && names.size() < names.capacity() &&
           std::ranges::none_of(names, [&](std::string_view one) { return IsSameName(one, name); });
    if (once) names.push_back(name);
  });
  return once;
}

bool IsSigned(std::string_view name, const Signature& signature) {
  bool found = false;
  ForEachPart(signature.signed_headers, ';',
              [&](std::string_view header) { found = found || IsSameName(header, name); });
  return found;
}

std::string_view UnsignedAmzHeader(const Request& request, const Signature& signature) {
  constexpr std::string_view kPrefix = "x-amz-";
  for (const HeaderField& field : request.fields) {
    const bool has_to_be = IsSameName(field.name.substr(0, kPrefix.size()), kPrefix);
    if (has_to_be && !IsSigned(field.name, signature)) return field.name;
  }
  return {};
}

}  // namespace dolmen::server
