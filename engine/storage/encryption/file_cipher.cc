#include "engine/storage/encryption/file_cipher.h"

#include <nettle/ctr.h>
#include <nettle/hmac.h>
#include <unistd.h>

#include <algorithm>
#include <span>
#include <string_view>
#include <vector>

namespace dolmen::engine {
namespace {

using Bytes = std::span<const std::uint8_t>;
using Digest = std::array<std::uint8_t, SHA256_DIGEST_SIZE>;

constexpr std::string_view kPurpose = "dolmen file";

Digest HmacSha256(Bytes key, Bytes bytes) {
  hmac_sha256_ctx context;
  hmac_sha256_set_key(&context, key.size(), key.data());
  hmac_sha256_update(&context, bytes.size(), bytes.data());
  Digest digest;
  hmac_sha256_digest(&context, digest.size(), digest.data());
  return digest;
}

// Encrypts blocks of 16 bytes. Has the type that Nettle's modes of operation expect.
void EncryptBlocks(const void* aes, std::size_t size, std::uint8_t* to, const std::uint8_t* from) {
  aes256_encrypt(static_cast<const aes256_ctx*>(aes), size, to, from);
}

}  // namespace

std::optional<Nonce> RandomNonce() {
  Nonce nonce;
  return ::getentropy(nonce.data(), nonce.size()) == 0 ? std::optional(nonce) : std::nullopt;
}

// Derives 48 bytes by HKDF (RFC 5869) with SHA-256: 32 bytes of the file's key, 16 of the check.
FileCipher::FileCipher(const EncryptionKey& key, const Nonce& nonce) {
  std::array<std::uint8_t, std::tuple_size_v<EncryptionKey>> secret;
  std::ranges::transform(key, secret.begin(), [](std::byte byte) { return std::uint8_t(byte); });
  const Digest extracted = HmacSha256(nonce, secret);
  std::vector<std::uint8_t> expanded(kPurpose.begin(), kPurpose.end());
  expanded.push_back(1);
  const Digest file_key = HmacSha256(extracted, expanded);
  expanded.back() = 2;
  expanded.insert(expanded.begin(), file_key.begin(), file_key.end());
  const Digest second = HmacSha256(extracted, expanded);
  aes256_set_encrypt_key(&aes_, file_key.data());
  std::copy_n(second.begin(), check_.size(), check_.begin());
}

void FileCipher::Crypt(std::uint64_t offset, const char* from, char* to, std::size_t size) const {
  const auto* source = reinterpret_cast<const std::uint8_t*>(from);
  auto* target = reinterpret_cast<std::uint8_t*>(to);
  std::array<std::uint8_t, AES_BLOCK_SIZE> counter{};  // the number of the block, big-endian
  std::uint64_t block = offset / AES_BLOCK_SIZE;
  for (auto byte = counter.rbegin(); block > 0; ++byte, block >>= 8) *byte = block & 0xFF;
  if (const std::size_t skipped = offset % AES_BLOCK_SIZE; skipped > 0) {
    std::array<std::uint8_t, AES_BLOCK_SIZE> mask{};
    ctr_crypt(&aes_, &EncryptBlocks, AES_BLOCK_SIZE, counter.data(), mask.size(), mask.data(),
              mask.data());
    const std::size_t count = std::min(size, AES_BLOCK_SIZE - skipped);
    for (std::size_t i = 0; i < count; ++i) target[i] = source[i] ^ mask[skipped + i];
    source += count;
    target += count;
    size -= count;
  }
  ctr_crypt(&aes_, &EncryptBlocks, AES_BLOCK_SIZE, counter.data(), size, target, source);
}

}  // namespace dolmen::engine
