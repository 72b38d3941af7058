#include "server/sha256.h"

#include <openssl/core_names.h>
#include <openssl/params.h>

namespace dolmen::server {
namespace {

EVP_MAC_CTX* NewHmac() {
  EVP_MAC* const mac = EVP_MAC_fetch(nullptr, "HMAC", nullptr);
  EVP_MAC_CTX* const context = EVP_MAC_CTX_new(mac);
  EVP_MAC_free(mac);  // the context has its own reference
  std::array<char, 7> name = {"SHA256"};
  const std::array<OSSL_PARAM, 2> parameters = {
      OSSL_PARAM_construct_utf8_string(OSSL_MAC_PARAM_DIGEST, name.data(), 0),
      OSSL_PARAM_construct_end()};
  if (context != nullptr) EVP_MAC_CTX_set_params(context, parameters.data());
  return context;
}

const unsigned char* BytesOf(std::string_view view) {
  return reinterpret_cast<const unsigned char*>(view.data());
}

}  // namespace

Sha256::Sha256()
    : digest_(EVP_MD_fetch(nullptr, "SHA256", nullptr)), hash_(EVP_MD_CTX_new()), hmac_(NewHmac()) {
  ok_ = digest_ != nullptr && hash_ != nullptr && hmac_ != nullptr;
}

Digest Sha256::Hash(std::string_view bytes) {
  Digest digest = {};
  ok_ = ok_ && EVP_DigestInit_ex2(hash_.get(), digest_.get(), nullptr) == 1 &&
        EVP_DigestUpdate(hash_.get(), bytes.data(), bytes.size()) == 1 &&
        EVP_DigestFinal_ex(hash_.get(), digest.data(), nullptr) == 1;
  return digest;
}

Digest Sha256::Hmac(std::string_view key, std::string_view bytes) {
  Digest digest = {};
  std::size_t size = 0;
  ok_ = ok_ && EVP_MAC_init(hmac_.get(), BytesOf(key), key.size(), nullptr) == 1 &&
        EVP_MAC_update(hmac_.get(), BytesOf(bytes), bytes.size()) == 1 &&
        EVP_MAC_final(hmac_.get(), digest.data(), &size, digest.size()) == 1;
  return digest;
}

void AppendHex(const Digest& digest, std::string* out) {
  constexpr std::string_view kDigits = "0123456789abcdef";
  for (const unsigned char byte : digest) {
    out->push_back(kDigits[byte >> 4]);
    out->push_back(kDigits[byte & 15]);
  }
}

}  // namespace dolmen::server
