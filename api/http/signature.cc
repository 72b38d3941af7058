#include "http/signature.h"

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

}  // namespace dolmen::http
