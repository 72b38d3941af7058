// A request in the form in which it is signed.
// https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_sigv-create-signed-request.html

#pragma once

#include <string>
#include <string_view>

#include "server/auth/signature.h"
#include "server/request.h"

namespace dolmen::server {

// Appends all of it but the last line, the payload's hash.  REQUIRES: AreSignedOnce.
void AppendCanonicalRequest(const Request& request, const Signature& signature, std::string* out);

// What stands for the hash of a payload that is not signed.
inline constexpr std::string_view kUnsignedPayload = "UNSIGNED-PAYLOAD";

// Whether the client has signed the request without its body, and says so.
bool IsPayloadUnsigned(const Request& request, const Signature& signature);

// Whether each header is signed once, and no more of them than a request has; then what is appended
// is about as long as the request's head, and not as long as that times itself.
bool AreSignedOnce(const Signature& signature);

// Whether `name` is among the signed headers.
bool IsSigned(std::string_view name, const Signature& signature);

// A header of the request's that means something to AWS, and is not signed; empty if there is none.
std::string_view UnsignedAmzHeader(const Request& request, const Signature& signature);

}  // namespace dolmen::server
