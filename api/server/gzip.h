// Bodies in gzip, in both directions.

#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

namespace dolmen::server {

// Whether an Accept-Encoding header asks for gzip.
bool AcceptsGzip(std::string_view accept_encoding);

enum class GunzipOutcome : std::uint8_t {
  kDone,
  kBad,       // no gzip, damaged, or cut off
  kTooLarge,  // the contents are larger than the limit, of which no more was made
};

// For one thread: it keeps what zlib needs, about 300 kB, from its first use on.
class Gzip {
 public:
  Gzip();
  ~Gzip();

  // False if there is no memory for it; then `compressed` is not to be used.
  bool Compress(std::string_view plain, std::string* compressed);

  // `compressed` may be several members, one behind the other, as pigz and appending make them.
  // `plain` has what was made of it, also if that was not all.
  GunzipOutcome Decompress(std::string_view compressed, std::size_t plain_bytes_max,
                           std::string* plain);

 private:
  struct Deflate;
  struct Inflate;
  std::unique_ptr<Deflate> deflate_;
  std::unique_ptr<Inflate> inflate_;
};

}  // namespace dolmen::server
