// Fuzzes the decompression and compression of bodies, and the header fields about them.
//
// Input: a byte and the rest. The byte's lowest bit selects the coding, and its other bits the
// limit of the decompressed size. The rest is a compressed body, a plain body and a header.

#include <cstdint>
#include <string>
#include <string_view>

#include "server/compression.h"
#include "tests/fuzz/require.h"

namespace dolmen::fuzz {
namespace {

using server::Codec;
using server::Coding;
using server::DecompressOutcome;

// Compresses the plain text, and decompresses the result with several limits.
void CheckRoundTrip(Codec* codec, Coding coding, std::string_view plain) {
  std::string compressed;
  std::string read;
  Require(codec->Compress(coding, plain, &compressed), "any text can be compressed");
  Require(codec->Decompress(coding, compressed, plain.size(), &read) == DecompressOutcome::kDone,
          "a compressed text can be decompressed");
  Require(read == plain, "a text is read back");
  if (!plain.empty()) {
    Require(codec->Decompress(coding, compressed, plain.size() - 1, &read) ==
                DecompressOutcome::kTooLarge,
            "a text over the limit is refused");
  }
  compressed.pop_back();
  Require(codec->Decompress(coding, compressed, plain.size(), &read) == DecompressOutcome::kBad,
          "a truncated text is refused");
}

void Try(std::string_view input) {
  if (input.empty()) return;
  static Codec codec;
  const auto first = static_cast<std::uint8_t>(input.front());
  const Coding coding = (first & 1U) == 0 ? Coding::kGzip : Coding::kDeflate;
  const std::size_t limit = std::size_t{first} / 2 * 1024;
  input.remove_prefix(1);
  std::string plain;
  const DecompressOutcome outcome = codec.Decompress(coding, input, limit, &plain);
  Require(plain.size() <= limit, "a body stays within its limit");
  if (outcome == DecompressOutcome::kDone) CheckRoundTrip(&codec, coding, plain);
  CheckRoundTrip(&codec, coding, input);
  const auto named = server::CodingOf(input);
  Require(!named || *named == Coding::kIdentity || server::NameOf(*named).size() == input.size(),
          "only names of codings are codings");
  server::PreferredCoding(input);
}

}  // namespace
}  // namespace dolmen::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  dolmen::fuzz::Try({reinterpret_cast<const char*>(data), size});
  return 0;
}
