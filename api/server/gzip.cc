#include "server/gzip.h"

#include <zlib.h>

#include <algorithm>
#include <boost/beast/http/rfc7230.hpp>

namespace dolmen::server {
namespace {

constexpr int kGzipFormat = 15 + 16;  // 15: the largest window; 16: the format gzip
constexpr int kMemoryLevel = 8;       // zlib's default
constexpr std::size_t kStepBytes = 64 * 1024;

Bytef* BytesOf(std::string_view view) {
  // zlib takes its input as a pointer to bytes that are not const, but does not write to them. So
  // the cast is safe.
  return reinterpret_cast<Bytef*>(const_cast<char*>(view.data()));
}

// Extends `plain` for more output of `stream`, to at most one byte more than `plain_bytes_max`. If
// zlib writes to that last byte, the decompressed content is too large.
void MakeRoom(std::size_t plain_bytes_max, std::string* plain, z_stream* stream) {
  const std::size_t made = plain->size();
  plain->resize(std::min(made + std::max(made, kStepBytes), plain_bytes_max + 1));
  stream->next_out = BytesOf(*plain) + made;
  stream->avail_out = static_cast<uInt>(plain->size() - made);
}

// Returns true if a quality value is 0: "0", "0.0".
bool IsZero(std::string_view quality) {
  return quality.starts_with('0') && quality.find_first_not_of("0.") == quality.npos;
}

}  // namespace

// A compressor with zlib's fastest level. Better compression would save only bandwidth, which is
// cheap on a loopback device or in a local network.
struct Gzip::Deflate {
  Deflate()
      : ok(deflateInit2(&stream, Z_BEST_SPEED, Z_DEFLATED, kGzipFormat, kMemoryLevel,
                        Z_DEFAULT_STRATEGY) == Z_OK) {}
  ~Deflate() { deflateEnd(&stream); }
  Deflate(const Deflate&) = delete;
  Deflate& operator=(const Deflate&) = delete;

  z_stream stream = {};
  bool ok;
};

struct Gzip::Inflate {
  Inflate() : ok(inflateInit2(&stream, kGzipFormat) == Z_OK) {}
  ~Inflate() { inflateEnd(&stream); }
  Inflate(const Inflate&) = delete;
  Inflate& operator=(const Inflate&) = delete;

  z_stream stream = {};
  bool ok;
};

Gzip::Gzip() = default;
Gzip::~Gzip() = default;

bool Gzip::Compress(std::string_view plain, std::string* compressed) {
  if (deflate_ == nullptr) deflate_ = std::make_unique<Deflate>();
  z_stream& stream = deflate_->stream;
  if (!deflate_->ok || deflateReset(&stream) != Z_OK) return false;
  compressed->resize(deflateBound(&stream, plain.size()));
  stream.next_in = BytesOf(plain);
  stream.avail_in = static_cast<uInt>(plain.size());
  stream.next_out = BytesOf(*compressed);
  stream.avail_out = static_cast<uInt>(compressed->size());
  if (deflate(&stream, Z_FINISH) != Z_STREAM_END) return false;
  compressed->resize(stream.total_out);
  return true;
}

GunzipOutcome Gzip::Decompress(std::string_view compressed, std::size_t plain_bytes_max,
                               std::string* plain) {
  if (inflate_ == nullptr) inflate_ = std::make_unique<Inflate>();
  z_stream& stream = inflate_->stream;
  plain->clear();
  if (!inflate_->ok || inflateReset(&stream) != Z_OK) return GunzipOutcome::kBad;
  stream.next_in = BytesOf(compressed);
  stream.avail_in = static_cast<uInt>(compressed.size());
  stream.avail_out = 0;
  int outcome = Z_OK;
  // Decompresses one gzip member after the other. Stops if the end of a member is the end of the
  // input.
  while (outcome != Z_STREAM_END || stream.avail_in != 0) {
    if (outcome == Z_STREAM_END && inflateReset(&stream) != Z_OK) return GunzipOutcome::kBad;
    if (stream.avail_out == 0) MakeRoom(plain_bytes_max, plain, &stream);
    outcome = inflate(&stream, Z_NO_FLUSH);
    const std::size_t made = plain->size() - stream.avail_out;
    const bool is_cut_off = outcome == Z_OK && stream.avail_in == 0 && stream.avail_out != 0;
    if (made <= plain_bytes_max && (outcome == Z_OK || outcome == Z_STREAM_END) && !is_cut_off) {
      continue;
    }
    plain->resize(made);
    return made > plain_bytes_max ? GunzipOutcome::kTooLarge : GunzipOutcome::kBad;
  }
  plain->resize(plain->size() - stream.avail_out);
  return GunzipOutcome::kDone;
}

bool AcceptsGzip(std::string_view accept_encoding) {
  namespace http = boost::beast::http;
  if (accept_encoding.empty()) return false;
  for (const auto& [coding, parameters] :
       http::ext_list({accept_encoding.data(), accept_encoding.size()})) {
    if (!boost::beast::iequals(coding, "gzip")) continue;
    for (const auto& [name, value] : parameters) {
      if (boost::beast::iequals(name, "q")) return !IsZero({value.data(), value.size()});
    }
    return true;
  }
  return false;
}

}  // namespace dolmen::server
