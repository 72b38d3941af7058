#include "server/auth/authentication.h"

#include <algorithm>
#include <cstddef>

#include "engine/base/status_macros.h"
#include "server/auth/signature.h"
#include "server/auth/signed_headers.h"
#include "server/coral_error.h"

namespace dolmen::server {
namespace {

// Returns the region in the credential KEY/DATE/REGION/SERVICE/aws4_request.
std::string_view RegionOf(std::string_view credential) {
  for (int i = 0; i < 2; ++i) {
    const std::size_t slash = credential.find('/');
    if (slash == credential.npos) return kDefaultRegion;
    credential.remove_prefix(slash + 1);
  }
  const std::string_view region = credential.substr(0, credential.find('/'));
  const bool is_name = std::ranges::all_of(
      region, [](char c) { return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-'; });
  return is_name && !region.empty() ? region : kDefaultRegion;
}

}  // namespace

Status Authentication::Read(const Request& request, Signature* signature) const {
  DOLMEN_RETURN_IF_ERROR(ReadSignature(request, signature));
  if (keys_.empty() || !requires_signed_payload_ || !IsPayloadUnsigned(request, *signature)) {
    return {};
  }
  return CoralStatus("InvalidSignatureException",
                     "This server requires a signed payload, not UNSIGNED-PAYLOAD.");
}

Status Authentication::Check(const Request& request, Timestamp now) {
  region_ = kDefaultRegion;
  Signature signature;
  DOLMEN_RETURN_IF_ERROR(Read(request, &signature));
  if (!keys_.empty()) DOLMEN_RETURN_IF_ERROR(verifier_.Verify(request, signature, keys_, now));
  region_ = RegionOf(signature.credential);
  return {};
}

Status Authentication::CheckHead(const Request& request, Timestamp now) {
  Signature signature;
  DOLMEN_RETURN_IF_ERROR(Read(request, &signature));
  if (keys_.empty()) return {};
  return verifier_.CheckClaim(request, signature, keys_, now);
}

}  // namespace dolmen::server
