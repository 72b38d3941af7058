// SHA-256 and its HMAC, by OpenSSL.

#pragma once

#include <openssl/evp.h>

#include <array>
#include <memory>
#include <string>
#include <string_view>

namespace dolmen::server {

using Digest = std::array<unsigned char, 32>;

// Looking an algorithm up costs OpenSSL more than using it on a small message, so it is kept.  For
// one thread.
class Sha256 {
 public:
  Sha256();

  // Nothing is ever right if OpenSSL refuses: then these return digests of zeros, ok() is false.
  Digest Hash(std::string_view bytes);
  Digest Hmac(std::string_view key, std::string_view bytes);
  bool ok() const { return ok_; }

 private:
  struct Free {
    void operator()(EVP_MD* digest) const { EVP_MD_free(digest); }
    void operator()(EVP_MD_CTX* context) const { EVP_MD_CTX_free(context); }
    void operator()(EVP_MAC_CTX* context) const { EVP_MAC_CTX_free(context); }
  };

  std::unique_ptr<EVP_MD, Free> digest_;
  std::unique_ptr<EVP_MD_CTX, Free> hash_;
  std::unique_ptr<EVP_MAC_CTX, Free> hmac_;
  bool ok_ = true;
};

inline std::string_view ViewOf(const Digest& digest) {
  return {reinterpret_cast<const char*>(digest.data()), digest.size()};
}

// Appends it in lower case hexadecimal.
void AppendHex(const Digest& digest, std::string* out);

}  // namespace dolmen::server
