#include "server/auth/authentication.h"

#include <algorithm>

#include "dolmen/internal/status_macros.h"
#include "dolmen/wire.h"
#include "server/auth/signature.h"

namespace dolmen::server {
namespace {

// Returns the region in the credential KEY/DATE/REGION/SERVICE/aws4_request.
std::string_view RegionOf(std::string_view credential) {
  for (int i = 0; i < 2; ++i) {
    credential.remove_prefix(std::min(credential.find('/'), credential.size() - 1) + 1);
    if (credential.empty()) return kDefaultRegion;
  }
  const std::string_view region = credential.substr(0, credential.find('/'));
  const bool is_name = std::ranges::all_of(
      region, [](char c) { return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-'; });
  return is_name && !region.empty() ? region : kDefaultRegion;
}

}  // namespace

Status Authentication::Check(const Request& request, Timestamp now) {
  Signature signature;
  DOLMEN_RETURN_IF_ERROR(ReadSignature(request, &signature));
  region_ = RegionOf(signature.credential);
  if (keys_.empty()) return {};
  return verifier_.Verify(request, signature, keys_, now);
}

Status Authentication::CheckHead(const Request& request, Timestamp now) {
  Signature signature;
  DOLMEN_RETURN_IF_ERROR(ReadSignature(request, &signature));
  if (keys_.empty()) return {};
  return verifier_.CheckClaim(request, signature, keys_, now);
}

}  // namespace dolmen::server
