// The cipher of the files of an encrypted database, AES-256 in counter mode.

#pragma once

#include <nettle/aes.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>

#include "dolmen/open_options.h"

namespace dolmen::engine {

// Random bytes, different in each file. Because of them the keys of two files differ.
using Nonce = std::array<std::uint8_t, 16>;

// Bytes that show, without the key, whether a key is the right one. They reveal nothing about it.
using KeyCheck = std::array<std::uint8_t, 16>;

// Returns new random bytes. Returns nothing if the operating system has none.
std::optional<Nonce> RandomNonce();

// The cipher of one file. Callable from any number of threads.
class FileCipher {
 public:
  // Derives the file's key and the check from the database's key. FORMAT.md describes both.
  FileCipher(const EncryptionKey& key, const Nonce& nonce);

  const KeyCheck& check() const { return check_; }

  // Encrypts or decrypts `size` bytes at `offset` of the file's content, from `from` to `to`. The
  // two may be equal, but must not overlap otherwise. Two different contents must never be
  // encrypted at the same offset: together they would reveal both contents.
  void Crypt(std::uint64_t offset, const char* from, char* to, std::size_t size) const;

 private:
  aes256_ctx aes_;
  KeyCheck check_;
};

}  // namespace dolmen::engine
