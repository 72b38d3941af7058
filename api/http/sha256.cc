#include "http/sha256.h"

#include <nettle/hmac.h>

#include <boost/algorithm/hex.hpp>
#include <iterator>

namespace dolmen::http {
namespace {

const std::uint8_t* Octets(std::string_view view) {
  return reinterpret_cast<const std::uint8_t*>(view.data());
}

}  // namespace

void Sha256::Add(std::string_view bytes) { sha256_update(&context_, bytes.size(), Octets(bytes)); }

Digest Sha256::Finish() {
  Digest digest;
  sha256_digest(&context_, digest.size(), digest.data());
  return digest;
}

Digest Sha256Of(std::string_view bytes) {
  Sha256 hash;
  hash.Add(bytes);
  return hash.Finish();
}

Digest HmacSha256(std::string_view key, std::string_view bytes) {
  hmac_sha256_ctx context;
  hmac_sha256_set_key(&context, key.size(), Octets(key));
  hmac_sha256_update(&context, bytes.size(), Octets(bytes));
  Digest digest;
  hmac_sha256_digest(&context, digest.size(), digest.data());
  return digest;
}

void AppendHex(const Digest& digest, std::string* out) {
  boost::algorithm::hex_lower(digest.begin(), digest.end(), std::back_inserter(*out));
}

}  // namespace dolmen::http
