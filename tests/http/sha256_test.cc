// Tests of SHA-256 with the vectors of FIPS 180 and of HMAC-SHA256 with those of RFC 4231.

#include "http/sha256.h"

#include <gtest/gtest.h>

#include <cstddef>
#include <string>
#include <string_view>

namespace dolmen::test {
namespace {

std::string HexOf(const http::Digest& digest) {
  std::string hex;
  http::AppendHex(digest, &hex);
  return hex;
}

TEST(Sha256Test, HashesTheVectorsOfTheStandard) {
  struct {
    std::string bytes;
    std::string_view hash;
  } const vectors[] = {{"", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"},
                       {"abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"},
                       {"abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
                        "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"},
                       {std::string(1'000'000, 'a'),
                        "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0"}};
  for (const auto& [bytes, hash] : vectors) {
    EXPECT_EQ(HexOf(http::Sha256Of(bytes)), hash) << bytes.size();
  }
}

TEST(Sha256Test, TheHashDoesNotDependOnThePieces) {
  const std::string bytes(200, 'x');
  for (std::size_t cut = 0; cut <= bytes.size(); ++cut) {
    http::Sha256 hash;
    hash.Add(std::string_view(bytes).substr(0, cut));
    hash.Add(std::string_view(bytes).substr(cut));
    EXPECT_EQ(hash.Finish(), http::Sha256Of(bytes)) << cut;
  }
}

TEST(Sha256Test, FinishBeginsANewHash) {
  http::Sha256 hash;
  hash.Add("first");
  EXPECT_EQ(hash.Finish(), http::Sha256Of("first"));
  hash.Add("second");
  EXPECT_EQ(hash.Finish(), http::Sha256Of("second"));
  EXPECT_EQ(hash.Finish(), http::Sha256Of(""));
}

TEST(Sha256Test, HmacHasTheVectorsOfTheRfc) {
  struct {
    std::string key;
    std::string_view bytes;
    std::string_view hash;
  } const vectors[] = {
      {std::string(20, '\x0b'), "Hi There",
       "b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7"},
      {"Jefe", "what do ya want for nothing?",
       "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843"},
      // HMAC hashes a key that is longer than a block of SHA-256 (64 bytes) before it uses the key.
      {std::string(131, '\xaa'), "Test Using Larger Than Block-Size Key - Hash Key First",
       "60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54"}};
  for (const auto& [key, bytes, hash] : vectors) {
    EXPECT_EQ(HexOf(http::HmacSha256(key, bytes)), hash);
  }
}

TEST(Sha256Test, HexIsAppendedInLowerCase) {
  http::Digest digest = {};
  digest[0] = 0xAB;
  digest[31] = 0x0F;
  std::string text = "before ";
  http::AppendHex(digest, &text);
  EXPECT_EQ(text, "before ab" + std::string(60, '0') + "0f");
  EXPECT_EQ(http::ViewOf(digest).size(), 32U);
}

}  // namespace
}  // namespace dolmen::test
