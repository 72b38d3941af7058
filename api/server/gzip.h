// Compression and decompression of bodies with gzip.

#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

namespace dolmen::server {

// Returns true if an Accept-Encoding header accepts gzip.
bool AcceptsGzip(std::string_view accept_encoding);

// The result of a decompression.
enum class GunzipOutcome : std::uint8_t {
  kDone,
  kBad,       // the input is not gzip, damaged or truncated
  kTooLarge,  // the content exceeds the limit; decompression stopped there
};

// A compressor and decompressor. From its first use it keeps about 300 kB for zlib. Not
// thread-safe.
class Gzip {
 public:
  Gzip();
  ~Gzip();

  // Compresses `plain`. Returns false if zlib has no memory; `compressed` is then unspecified.
  bool Compress(std::string_view plain, std::string* compressed);

  // Decompresses `compressed`, which may consist of several gzip members in sequence, as in a file
  // that was appended to. After a failure `plain` contains the decompressed part.
  GunzipOutcome Decompress(std::string_view compressed, std::size_t plain_bytes_max,
                           std::string* plain);

 private:
  struct Deflate;
  struct Inflate;
  std::unique_ptr<Deflate> deflate_;
  std::unique_ptr<Inflate> inflate_;
};

}  // namespace dolmen::server
