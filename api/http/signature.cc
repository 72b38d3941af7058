#include "http/signature.h"

#include <algorithm>
#include <utility>
#include <vector>

namespace dolmen::http {

Digest SigningKey(std::string_view secret, const SigningScope& scope) {
  Digest key = HmacSha256("AWS4" + std::string(secret), scope.date);
  for (const std::string_view part : {scope.region, scope.service, scope.terminator}) {
    key = HmacSha256(ViewOf(key), part);
  }
  return key;
}

void AppendSignature(const Digest& key, std::string_view signed_at, std::string_view scope,
                     std::string_view canonical_request, std::string* out) {
  std::string text(kSignatureAlgorithm);
  text.append("\n").append(signed_at).append("\n").append(scope).append("\n");
  AppendHex(Sha256Of(canonical_request), &text);
  AppendHex(HmacSha256(ViewOf(key), text), out);
}

namespace {

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
void AppendWords(std::string_view value, std::string* out) {
  bool first = true;
  ForEachPart(value, ' ', [&](std::string_view word) {
    if (word.empty()) return;
    if (!std::exchange(first, false)) out->push_back(' ');
    out->append(word);
  });
}

// Appends "name:value". Further values of the same name follow after a comma.
void AppendHeader(std::span<const HeaderField> fields, std::string_view name, std::string* out) {
  out->append(name).push_back(':');
  bool first = true;
  for (const HeaderField& field : fields) {
    if (!IsSameName(field.name, name)) continue;
    if (!std::exchange(first, false)) out->push_back(',');
    AppendWords(field.value, out);
  }
  out->push_back('\n');
}

}  // namespace

void AppendCanonicalRequest(const CanonicalParts& parts, std::string* out) {
  out->append(parts.method).append("\n");
  // Every service but S3 encodes the path once more. An empty path stands for "/".
  AppendUriEncoded(parts.path.empty() ? "/" : parts.path, "/", out);
  out->append("\n");
  AppendQuery(parts.query, out);
  out->push_back('\n');
  ForEachPart(parts.signed_headers, ';',
              [&](std::string_view name) { AppendHeader(parts.fields, name, out); });
  out->append("\n").append(parts.signed_headers).append("\n");
}

}  // namespace dolmen::http
