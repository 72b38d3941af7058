#include "remote/signer.h"

#include <utility>

#include "http/signature.h"
#include "http/signing_time.h"

namespace dolmen::remote {
namespace {

constexpr std::string_view kContentType = "application/x-amz-json-1.0";
constexpr std::size_t kDateBytes = 8;  // "20150830"

std::string Line(const http::HeaderField& field) {
  return std::string(field.name).append(": ").append(field.value);
}

}  // namespace

http::Digest Signer::KeyFor(const Credentials& credentials, std::string_view date) {
  const MutexLock lock(mutex_);
  if (date_ != date || secret_ != credentials.secret_access_key) {
    key_ = http::SigningKey(credentials.secret_access_key, {.date = date, .region = region_});
    secret_ = credentials.secret_access_key;
    date_ = date;
  }
  return key_;
}

std::vector<std::string> Signer::Sign(std::string_view host, std::string_view target,
                                      std::string_view body, const Credentials& credentials,
                                      Timestamp now) {
  const std::string signed_at = http::ToSigningTime(now);
  const std::string_view date = std::string_view(signed_at).substr(0, kDateBytes);
  std::vector<http::HeaderField> fields = {
      {"content-type", kContentType}, {"host", host}, {"x-amz-date", signed_at}};
  std::string names = "content-type;host;x-amz-date;";
  if (!credentials.session_token.empty()) {
    fields.push_back({"x-amz-security-token", credentials.session_token});
    names.append("x-amz-security-token;");
  }
  fields.push_back({"x-amz-target", target});
  names.append("x-amz-target");

  std::string canonical;
  http::AppendCanonicalRequest(
      {.method = "POST", .path = "/", .query = {}, .fields = fields, .signed_headers = names},
      &canonical);
  http::AppendHex(http::Sha256Of(body), &canonical);
  std::string scope(date);
  scope.append("/").append(region_).append("/").append(http::kSignatureService);
  scope.append("/").append(http::kSignatureTerminator);

  std::string authorization(http::kSignatureAlgorithm);
  authorization.append(" Credential=").append(credentials.access_key_id).append("/").append(scope);
  authorization.append(", SignedHeaders=").append(names).append(", Signature=");
  http::AppendSignature(KeyFor(credentials, date), signed_at, scope, canonical, &authorization);
  fields.push_back({"authorization", authorization});

  std::vector<std::string> lines;
  lines.reserve(fields.size());
  for (const http::HeaderField& field : fields) lines.push_back(Line(field));
  return lines;
}

}  // namespace dolmen::remote
