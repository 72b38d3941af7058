#include "server/compression.h"

#include <libdeflate.h>
#include <zlib.h>

#include <algorithm>

#include "http/header_text.h"

namespace dolmen::server {
namespace {

constexpr std::string_view kGzipName = "gzip";
constexpr std::string_view kDeflateName = "deflate";
// libdeflate's fastest level. Better compression would save only bandwidth, which is cheap on a
// loopback device or in a local network.
constexpr int kFastestLevel = 1;
// The room for the content at first. It is doubled until the content fits.
constexpr std::size_t kFirstRoomBytes = 64 * 1024;
// The largest number of blocks, and of headers of gzip members, in a compressed body: one for each
// kContentBytesPerBlock of its content, and kFreeBlocks more. The tables of a block cost 4 microseconds, and a block without content takes 12 bytes, so without a limit a body of
// 16 MiB would cost 6 seconds. Compressors begin a block after 10 KB or more.
constexpr std::size_t kFreeBlocks = 64;
constexpr std::size_t kContentBytesPerBlock = 1024;

// Returns the value of a weight in thousandths: 800 for "q=0.8". Returns 1000 for any text that is
// not a weight below 1.
int Thousandths(std::string_view weight) {
  if (!http::IsSameName(weight.substr(0, 3), "q=0")) return 1000;
  int thousandths = 0;
  int unit = 100;
  for (std::size_t i = 4; i < weight.size() && weight[i] >= '0' && weight[i] <= '9'; ++i) {
    thousandths += (weight[i] - '0') * unit;
    unit /= 10;
  }
  return thousandths;
}

}  // namespace

void Codec::Free::operator()(libdeflate_compressor* compressor) const {
  libdeflate_free_compressor(compressor);
}

void Codec::Free::operator()(z_stream_s* decompressor) const {
  inflateEnd(decompressor);
  delete decompressor;
}

bool Codec::Compress(Coding coding, std::string_view plain, std::string* compressed) {
  if (compressor_ == nullptr) compressor_.reset(libdeflate_alloc_compressor(kFastestLevel));
  if (compressor_ == nullptr) return false;
  const bool gzip = coding == Coding::kGzip;
  const auto bound = gzip ? libdeflate_gzip_compress_bound : libdeflate_zlib_compress_bound;
  const auto compress = gzip ? libdeflate_gzip_compress : libdeflate_zlib_compress;
  compressed->resize(bound(compressor_.get(), plain.size()));
  compressed->resize(compress(compressor_.get(), plain.data(), plain.size(), compressed->data(),
                              compressed->size()));
  return !compressed->empty();
}

// Uses zlib, because libdeflate decompresses a whole member at once, and so cannot stop after a number of blocks.
DecompressOutcome Codec::Decompress(Coding coding, std::string_view compressed,
                                    std::size_t plain_bytes_max, std::string* plain) {
  plain->clear();
  if (!ResetDecompressor(coding)) return DecompressOutcome::kBad;
  z_stream& stream = *decompressor_;
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(compressed.data()));
  stream.avail_in = static_cast<uInt>(compressed.size());
  stream.avail_out = 0;
  std::size_t blocks = 0;
  bool stalled = false;
  for (;;) {
    if (stream.avail_out == 0) MakeRoom(plain_bytes_max, plain);
    const int result = inflate(&stream, Z_BLOCK);  // returns after each header and each block
    if (result == Z_STREAM_END && (coding != Coding::kGzip || stream.avail_in == 0)) {
      plain->resize(plain->size() - stream.avail_out);
      return stream.avail_in == 0 ? DecompressOutcome::kDone : DecompressOutcome::kBad;
    }
    // A call that only reads the end of a block may change no count. A second one in a row needs more input, or more
    // room than the limit. The checksum at the end of the input is not read before all content has room.
    if (result == Z_BUF_ERROR && stalled) {
      return stream.avail_in == 0 ? DecompressOutcome::kBad : DecompressOutcome::kTooLarge;
    }
    stalled = result == Z_BUF_ERROR;
    if (result == Z_STREAM_END) {
      inflateReset(&stream);  // the next gzip member
    } else if (result != Z_OK && !stalled) {
      return DecompressOutcome::kBad;
    }
    constexpr int kAtEndOfPart = 128;
    if ((stream.data_type & kAtEndOfPart) != 0) ++blocks;
    const std::size_t made = plain->size() - stream.avail_out;
    if (blocks > kFreeBlocks + made / kContentBytesPerBlock) return DecompressOutcome::kBad;
  }
}

bool Codec::ResetDecompressor(Coding coding) {
  constexpr int kZlibFormat = 15;  // with the largest window
  constexpr int kGzipFormat = kZlibFormat + 16;
  const int format = coding == Coding::kGzip ? kGzipFormat : kZlibFormat;
  if (decompressor_ != nullptr) return inflateReset2(decompressor_.get(), format) == Z_OK;
  auto stream = std::make_unique<z_stream>();
  if (inflateInit2(stream.get(), format) != Z_OK) return false;
  decompressor_.reset(stream.release());
  return true;
}

// Doubles the room for the content, up to the limit.
void Codec::MakeRoom(std::size_t plain_bytes_max, std::string* plain) {
  const std::size_t made = plain->size();
  plain->resize(std::min(std::max(2 * made, kFirstRoomBytes), plain_bytes_max));
  decompressor_->next_out = reinterpret_cast<Bytef*>(plain->data() + made);
  decompressor_->avail_out = static_cast<uInt>(plain->size() - made);
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
  if (content_encoding.empty() || http::IsSameName(content_encoding, "identity")) {
    return Coding::kIdentity;
  }
  if (http::IsSameName(content_encoding, kGzipName)) return Coding::kGzip;
  if (http::IsSameName(content_encoding, kDeflateName)) return Coding::kDeflate;
  return std::nullopt;
}

Coding PreferredCoding(std::string_view accept_encoding) {
  Coding preferred = Coding::kIdentity;
  int greatest = 0;
  while (!accept_encoding.empty()) {
    const std::string_view element = accept_encoding.substr(0, accept_encoding.find(','));
    accept_encoding.remove_prefix(std::min(element.size() + 1, accept_encoding.size()));
    const std::size_t name_bytes = std::min(element.find(';'), element.size());
    const std::string_view name = http::Trimmed(element.substr(0, name_bytes));
    const int weight =
        Thousandths(http::Trimmed(element.substr(std::min(name_bytes + 1, element.size()))));
    const bool is_gzip = http::IsSameName(name, kGzipName);
    if (weight <= greatest || (!is_gzip && !http::IsSameName(name, kDeflateName))) continue;
    greatest = weight;
    preferred = is_gzip ? Coding::kGzip : Coding::kDeflate;
  }
  return preferred;
}

}  // namespace dolmen::server
