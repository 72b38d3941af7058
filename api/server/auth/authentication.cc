#include "server/auth/authentication.h"

#include "dolmen/internal/status_macros.h"
#include "server/auth/signature.h"

namespace dolmen::server {

Status Authentication::Check(const Request& request, Timestamp now) {
  Signature signature;
  DOLMEN_RETURN_IF_ERROR(ReadSignature(request, &signature));
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
