// SHA-256 and HMAC-SHA256, computed by Nettle. OpenSSL is not used, because it loads slowly: a
// server would spend a sixth of the time from its start to its first answer on loading OpenSSL.

#pragma once

#include <nettle/sha2.h>

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

namespace dolmen::http {

using Digest = std::array<std::uint8_t, SHA256_DIGEST_SIZE>;

// The hash of bytes that are added in pieces.
class Sha256 {
 public:
  Sha256() { sha256_init(&context_); }

  void Add(std::string_view bytes);
  // Returns the digest of all bytes since construction or since the last Finish.
  Digest Finish();

 private:
  sha256_ctx context_;
};

Digest Sha256Of(std::string_view bytes);
Digest HmacSha256(std::string_view key, std::string_view bytes);

inline std::string_view ViewOf(const Digest& digest) {
  return {reinterpret_cast<const char*>(digest.data()), digest.size()};
}

// Appends the digest in lower case hexadecimal.
void AppendHex(const Digest& digest, std::string* out);

}  // namespace dolmen::http
