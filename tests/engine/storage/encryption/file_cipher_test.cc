#include "engine/storage/encryption/file_cipher.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <string>

#include "tests/support/random.h"

namespace dolmen::engine {
namespace {

using FileCipherTest = test::SeededTest;

std::string Crypt(const FileCipher& cipher, std::uint64_t offset, const std::string& from) {
  std::string to(from.size(), '\0');
  cipher.Crypt(offset, from.data(), to.data(), from.size());
  return to;
}

// The expected bytes were computed by another library: the keystream of AES-256 in counter mode with
// the derived key, from block 0x123456789 on.
TEST_F(FileCipherTest, TheCounterIsTheNumberOfTheBlock) {
  EncryptionKey key;
  Nonce nonce;
  for (std::size_t i = 0; i < key.size(); ++i) key[i] = std::byte(i);
  for (std::size_t i = 0; i < nonce.size(); ++i) nonce[i] = static_cast<std::uint8_t>(0xa0 + i);
  const std::string stream = Crypt(FileCipher(key, nonce), 0x1234567890, std::string(32, '\0'));
  EXPECT_EQ(stream,
            "\x4e\xc8\x4d\x3c\x55\xa3\x95\x99\x60\x1c\x48\x77\xce\x62\x40\x14"
            "\x4c\x39\x8b\xde\x60\x85\x74\xbc\x2e\x8d\xd2\x9c\x70\x4c\x4e\x8c");
}

TEST_F(FileCipherTest, APartIsEncryptedLikeTheWhole) {
  const FileCipher cipher({}, {});
  const std::string whole = Crypt(cipher, 0, std::string(100, 'x'));
  for (std::size_t start = 0; start <= whole.size(); ++start) {
    const std::size_t size = random_.Below(whole.size() - start + 1);
    EXPECT_EQ(Crypt(cipher, start, std::string(size, 'x')), whole.substr(start, size)) << start;
  }
}

TEST_F(FileCipherTest, BytesAreDecryptedInPlace) {
  const FileCipher cipher({}, {});
  std::string bytes = Crypt(cipher, 5, "a dolmen is a table of stone");
  cipher.Crypt(5, bytes.data(), bytes.data(), bytes.size());
  EXPECT_EQ(bytes, "a dolmen is a table of stone");
}

TEST_F(FileCipherTest, TheKeyAndTheNonceChangeTheStreamAndTheCheck) {
  const FileCipher cipher({}, {});
  const std::string zeros(32, '\0');
  for (const FileCipher& other : {FileCipher({std::byte{1}}, {}), FileCipher({}, {1})}) {
    EXPECT_NE(other.check(), cipher.check());
    EXPECT_NE(Crypt(other, 0, zeros), Crypt(cipher, 0, zeros));
  }
}

TEST_F(FileCipherTest, TwoNoncesDiffer) { EXPECT_NE(RandomNonce(), RandomNonce()); }

}  // namespace
}  // namespace dolmen::engine
