#include "server/auth/signature.h"

#include <array>
#include <cstddef>

#include "engine/base/status_macros.h"
#include "http/header_text.h"
#include "server/coral_error.h"

namespace dolmen::server {
namespace {

// Reads "AWS4-HMAC-SHA256 Credential=..., SignedHeaders=..., Signature=...".
void ReadAuthorization(std::string_view header, Signature* signature) {
  const std::size_t space = header.find(' ');
  signature->algorithm = header.substr(0, space);
  std::string_view rest = space == header.npos ? std::string_view() : header.substr(space);
  while (!rest.empty()) {
    const std::string_view part = rest.substr(0, rest.find(','));
    rest.remove_prefix(std::min(rest.size(), part.size() + 1));
    const std::size_t equals = part.find('=');
    if (equals == part.npos) continue;
    const std::string_view name = http::Trimmed(part.substr(0, equals));
    const std::string_view value = http::Trimmed(part.substr(equals + 1));
    if (name == "Credential") signature->credential = value;
    if (name == "SignedHeaders") signature->signed_headers = value;
    if (name == "Signature") signature->signature = value;
  }
}

// Returns DynamoDB's error if the header lacks a part.
Status CheckHeaderParts(const Request& request, const Signature& signature) {
  std::string missing;
  const auto requires_parameter = [&missing](std::string_view name) {
    missing.append("Authorization header requires '").append(name).append("' parameter. ");
  };
  if (signature.credential.empty()) requires_parameter("Credential");
  if (signature.signature.empty()) requires_parameter("Signature");
  if (signature.signed_headers.empty()) requires_parameter("SignedHeaders");
  if (signature.date.empty()) {
    missing.append(
        "Authorization header requires existence of either a 'X-Amz-Date' or a 'Date' header. ");
  }
  if (missing.empty()) return {};
  return CoralStatus("IncompleteSignatureException",
                     missing.append("Authorization=").append(request.authorization));
}

void ReadQuery(Signature* signature) {
  const auto value_of = [&](std::string_view name) {
    return http::Find(signature->query, name).value_or(std::string_view());
  };
  signature->algorithm = value_of("X-Amz-Algorithm");
  signature->credential = value_of("X-Amz-Credential");
  signature->signature = value_of("X-Amz-Signature");
  signature->signed_headers = value_of("X-Amz-SignedHeaders");
  signature->date = value_of("X-Amz-Date");
  signature->expires = value_of("X-Amz-Expires");
}

// Returns DynamoDB's error if the query lacks a part.
Status CheckQueryParts(const Signature& signature) {
  struct Parameter {
    std::string_view name;
    std::string_view value;
  };
  const std::array<Parameter, 5> parameters = {{{"X-Amz-Algorithm", signature.algorithm},
                                                {"X-Amz-Credential", signature.credential},
                                                {"X-Amz-Signature", signature.signature},
                                                {"X-Amz-SignedHeaders", signature.signed_headers},
                                                {"X-Amz-Date", signature.date}}};
  std::string missing;
  for (const auto& [name, value] : parameters) {
    if (!value.empty()) continue;
    missing.append("AWS query-string parameters must include '").append(name).append("'. ");
  }
  if (missing.empty()) return {};
  return CoralStatus("IncompleteSignatureException",
                     missing.append("Re-examine the query-string parameters."));
}

bool IsPresigned(const http::QueryParameters& query) {
  return http::Find(query, "X-Amz-Algorithm").has_value();
}

}  // namespace

Status CheckSigned(const Request& request) {
  if (request.authorization.starts_with("AWS4-")) return {};
  if (IsPresigned(http::QueryOf(request.target))) return {};
  return CoralStatus("MissingAuthenticationTokenException",
                     "Request is missing Authentication Token");
}

Status ReadSignature(const Request& request, Signature* signature) {
  DOLMEN_RETURN_IF_ERROR(CheckSigned(request));
  signature->query = http::QueryOf(request.target);
  signature->presigned = IsPresigned(signature->query);
  if (signature->presigned && !request.authorization.empty()) {
    return CoralStatus(
        "InvalidSignatureException",
        "Found both 'X-Amz-Algorithm' as a query-string param and 'Authorization' as HTTP header.");
  }
  if (signature->presigned) {
    ReadQuery(signature);
    return CheckQueryParts(*signature);
  }
  ReadAuthorization(request.authorization, signature);
  signature->date = request.amz_date.empty() ? request.date : request.amz_date;
  return CheckHeaderParts(request, *signature);
}

std::string AccessKeyOf(const Request& request) {
  Signature signature;
  if (!ReadSignature(request, &signature).ok()) return {};
  return std::string(signature.credential.substr(0, signature.credential.find('/')));
}

}  // namespace dolmen::server
