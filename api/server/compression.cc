#include "server/compression.h"

#include <zlib.h>

#include <algorithm>

#include "server/header_text.h"

namespace dolmen::server {
namespace {

constexpr std::string_view kGzipName = "gzip";
constexpr std::string_view kDeflateName = "deflate";
constexpr int kMemoryLevel = 8;  // zlib's default
constexpr std::size_t kStepBytes = 64 * 1024;

// Returns zlib's parameter for a format with the largest window.
int WindowBits(Coding coding) {
  constexpr int kLargestWindow = 15;
  constexpr int kGzipFormat = 16;
  return coding == Coding::kGzip ? kLargestWindow + kGzipFormat : kLargestWindow;
}

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

// Returns the value of a weight in thousandths: 800 for "q=0.8". Returns 1000 for any text that is
// not a weight below 1.
int Thousandths(std::string_view weight) {
  if (!IsSameName(weight.substr(0, 3), "q=0")) return 1000;
  int thousandths = 0;
  int unit = 100;
  for (std::size_t i = 4; i < weight.size() && weight[i] >= '0' && weight[i] <= '9'; ++i) {
    thousandths += (weight[i] - '0') * unit;
    unit /= 10;
  }
  return thousandths;
}

}  // namespace

// A compressor with zlib's fastest level. Better compression would save only bandwidth, which is
// cheap on a loopback device or in a local network.
struct Codec::Deflate {
  explicit Deflate(Coding coding)
      : ok(deflateInit2(&stream, Z_BEST_SPEED, Z_DEFLATED, WindowBits(coding), kMemoryLevel,
                        Z_DEFAULT_STRATEGY) == Z_OK) {}
  ~Deflate() { deflateEnd(&stream); }
  Deflate(const Deflate&) = delete;
  Deflate& operator=(const Deflate&) = delete;

  z_stream stream = {};
  bool ok;
};

struct Codec::Inflate {
  Inflate() : ok(inflateInit(&stream) == Z_OK) {}
  ~Inflate() { inflateEnd(&stream); }
  Inflate(const Inflate&) = delete;
  Inflate& operator=(const Inflate&) = delete;

  z_stream stream = {};
  bool ok;
};

Codec::Codec() = default;
Codec::~Codec() = default;

bool Codec::Compress(Coding coding, std::string_view plain, std::string* compressed) {
  std::unique_ptr<Deflate>& state = coding == Coding::kGzip ? to_gzip_ : to_deflate_;
  if (state == nullptr) state = std::make_unique<Deflate>(coding);
  z_stream& stream = state->stream;
  if (!state->ok || deflateReset(&stream) != Z_OK) return false;
  compressed->resize(deflateBound(&stream, plain.size()));
  stream.next_in = BytesOf(plain);
  stream.avail_in = static_cast<uInt>(plain.size());
  stream.next_out = BytesOf(*compressed);
  stream.avail_out = static_cast<uInt>(compressed->size());
  if (deflate(&stream, Z_FINISH) != Z_STREAM_END) return false;
  compressed->resize(stream.total_out);
  return true;
}

DecompressOutcome Codec::Decompress(Coding coding, std::string_view compressed,
                                    std::size_t plain_bytes_max, std::string* plain) {
  if (inflate_ == nullptr) inflate_ = std::make_unique<Inflate>();
  z_stream& stream = inflate_->stream;
  plain->clear();
  if (!inflate_->ok || inflateReset2(&stream, WindowBits(coding)) != Z_OK) {
    return DecompressOutcome::kBad;
  }
  stream.next_in = BytesOf(compressed);
  stream.avail_in = static_cast<uInt>(compressed.size());
  stream.avail_out = 0;
  int outcome = Z_OK;
  // Decompresses one gzip member after the other. Stops if the end of a member is the end of the
  // input.
  while (outcome != Z_STREAM_END || stream.avail_in != 0) {
    const bool begins_member = outcome == Z_STREAM_END;
    if (begins_member && (coding != Coding::kGzip || inflateReset(&stream) != Z_OK)) {
      plain->resize(plain->size() - stream.avail_out);
      return DecompressOutcome::kBad;
    }
    if (stream.avail_out == 0) MakeRoom(plain_bytes_max, plain, &stream);
    outcome = inflate(&stream, Z_NO_FLUSH);
    const std::size_t made = plain->size() - stream.avail_out;
    const bool is_cut_off = outcome == Z_OK && stream.avail_in == 0 && stream.avail_out != 0;
    if (made <= plain_bytes_max && (outcome == Z_OK || outcome == Z_STREAM_END) && !is_cut_off) {
      continue;
    }
    plain->resize(made);
    return made > plain_bytes_max ? DecompressOutcome::kTooLarge : DecompressOutcome::kBad;
  }
  plain->resize(plain->size() - stream.avail_out);
  return DecompressOutcome::kDone;
}

std::string_view NameOf(Coding coding) {
  switch (coding) {
    case Coding::kGzip:
      return kGzipName;
    case Coding::kDeflate:
      return kDeflateName;
    case Coding::kIdentity:
      break;
  }
  return {};
}

std::optional<Coding> CodingOf(std::string_view content_encoding) {
  if (content_encoding.empty() || IsSameName(content_encoding, "identity")) {
    return Coding::kIdentity;
  }
  if (IsSameName(content_encoding, kGzipName)) return Coding::kGzip;
  if (IsSameName(content_encoding, kDeflateName)) return Coding::kDeflate;
  return std::nullopt;
}

Coding PreferredCoding(std::string_view accept_encoding) {
  int gzip = 0;
  int deflate = 0;
  while (!accept_encoding.empty()) {
    const std::string_view element = accept_encoding.substr(0, accept_encoding.find(','));
    accept_encoding.remove_prefix(std::min(element.size() + 1, accept_encoding.size()));
    const std::size_t name_bytes = std::min(element.find(';'), element.size());
    const std::string_view name = Trimmed(element.substr(0, name_bytes));
    const int weight =
        Thousandths(Trimmed(element.substr(std::min(name_bytes + 1, element.size()))));
    if (IsSameName(name, kGzipName)) gzip = weight;
    if (IsSameName(name, kDeflateName)) deflate = weight;
  }
  if (gzip == 0 && deflate == 0) return Coding::kIdentity;
  return gzip >= deflate ? Coding::kGzip : Coding::kDeflate;
}

}  // namespace dolmen::server
