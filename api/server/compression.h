// Compression and decompression of bodies with the content codings gzip and deflate.

#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

struct libdeflate_compressor;
struct z_stream_s;

namespace dolmen::server {

// A content coding of HTTP. kDeflate is the zlib format (RFC 1950), not the raw format (RFC 1951).
enum class Coding : std::uint8_t { kIdentity, kGzip, kDeflate };

// Returns the name of the coding in headers. Returns an empty text for kIdentity.
std::string_view NameOf(Coding coding);

// Returns the coding that a Content-Encoding header names. Returns kIdentity for an empty text, and
// nothing for an unknown coding.
std::optional<Coding> CodingOf(std::string_view content_encoding);

// Returns the coding that an Accept-Encoding header prefers, by its quality values. Returns the one that
// the header names first if both are equally preferred, and kIdentity if the header names neither.
Coding PreferredCoding(std::string_view accept_encoding);

// The result of a decompression.
enum class DecompressOutcome : std::uint8_t {
  kDone,
  kBad,  // the input does not have the coding, is damaged or truncated, or costs too much (Decompress)
  kTooLarge,  // the content exceeds the limit; decompression stopped there
};

// A compressor and decompressor. It keeps memory from the first use: about 210 kB for compression, and 40 kB for
// decompression. Not thread-safe.
class Codec {
 public:
  // Compresses `plain`. Returns false if libdeflate has no memory; `compressed` is then unspecified.
  // REQUIRES: coding is not kIdentity
  bool Compress(Coding coding, std::string_view plain, std::string* compressed);

  // Decompresses `compressed`. With kGzip it may consist of several gzip members in sequence, as in
  // a file that was appended to. It may have 64 blocks and
  // headers of members, and one more for each KiB of its content, because each costs time even without content. After a failure `plain` is unspecified, and not longer than the
  // limit.
  // REQUIRES: coding is not kIdentity
  DecompressOutcome Decompress(Coding coding, std::string_view compressed,
                               std::size_t plain_bytes_max, std::string* plain);

 private:
  struct Free {
    void operator()(libdeflate_compressor* compressor) const;
    void operator()(z_stream_s* decompressor) const;
  };

  // Prepares the decompressor for a body. Returns false if zlib has no memory.
  bool ResetDecompressor(Coding coding);
  void MakeRoom(std::size_t plain_bytes_max, std::string* plain);

  std::unique_ptr<libdeflate_compressor, Free> compressor_;
  std::unique_ptr<z_stream_s, Free> decompressor_;
};

}  // namespace dolmen::server
