// SHA-256 and its HMAC, by Nettle: to load OpenSSL would take a sixth of the time in which a server
// that was just started gives its first answer.

#pragma once

#include <nettle/sha2.h>

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

namespace dolmen::server {

using Digest = std::array<std::uint8_t, SHA256_DIGEST_SIZE>;

// Of bytes that come in pieces.
class Sha256 {
 public:
  Sha256() { sha256_init(&context_); }

  void Add(std::string_view bytes);
  // Of all that was added since this was made, or since the last digest.
  Digest Finish();

 private:
  sha256_ctx context_;
};

Digest Sha256Of(std::string_view bytes);
Digest HmacSha256(std::string_view key, std::string_view bytes);

inline std::string_view ViewOf(const Digest& digest) {
  return {reinterpret_cast<const char*>(digest.data()), digest.size()};
}

// Appends it in lower case hexadecimal.
void AppendHex(const Digest& digest, std::string* out);

}  // namespace dolmen::server
