// The parts of a request that its signature covers.

#pragma once

#include <string>
#include <string_view>

#include "server/auth/signature.h"
#include "server/request.h"

namespace dolmen::server {

// The text that replaces the hash of the payload if the payload is not signed.
inline constexpr std::string_view kUnsignedPayload = "UNSIGNED-PAYLOAD";

// Returns true if the request says that its signature does not cover the body.
bool IsPayloadUnsigned(const Request& request, const Signature& signature);

// Returns true if each signed header is listed once, and the list has at most as many names as a
// request may have header lines. This limits the canonical request to about the size of the head.
// If names could be repeated, the size of the canonical request would be quadratic.
bool AreSignedOnce(const Signature& signature);

// Returns true if `name` is among the signed headers.
bool IsSigned(std::string_view name, const Signature& signature);

// Returns the name of a header that chooses what the request does, X-Amz-* or X-Dolmen-*, and is not signed, or an empty text.
std::string_view UnsignedHeader(const Request& request, const Signature& signature);

}  // namespace dolmen::server
