#include "server/auth/authentication.h"

#include "server/auth/signature.h"

namespace dolmen::server {

std::optional<std::string> Authentication::Check(const Request& request, Timestamp now) {
  Signature signature;
  if (auto error = ReadSignature(request, &signature)) return error;
  if (keys_.empty()) return std::nullopt;
  return verifier_.Verify(request, signature, keys_, now);
}

std::optional<std::string> Authentication::CheckHead(const Request& request, Timestamp now) {
  Signature signature;
  if (auto error = ReadSignature(request, &signature)) return error;
  if (keys_.empty()) return std::nullopt;
  return verifier_.CheckClaim(request, signature, keys_, now);
}

}  // namespace dolmen::server
