#include "server/compression.h"

#include <libdeflate.h>

#include <algorithm>

#include "http/header_text.h"

namespace dolmen::server {
namespace {

constexpr std::string_view kGzipName = "gzip";
constexpr std::string_view kDeflateName = "deflate";
// libdeflate's fastest level. Better compression would save only bandwidth, which is cheap on a
// loopback device or in a local network.
constexpr int kFastestLevel = 1;
constexpr std::size_t kStepBytes = 64 * 1024;

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

void Codec::Free::operator()(libdeflate_decompressor* decompressor) const {
  libdeflate_free_decompressor(decompressor);
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

DecompressOutcome Codec::Decompress(Coding coding, std::string_view compressed,
                                    std::size_t plain_bytes_max, std::string* plain) {
  plain->clear();
  do {
    const DecompressOutcome outcome = AppendMember(coding, &compressed, plain_bytes_max, plain);
    if (outcome != DecompressOutcome::kDone) return outcome;
  } while (coding == Coding::kGzip && !compressed.empty());
  return compressed.empty() ? DecompressOutcome::kDone : DecompressOutcome::kBad;
}

// Decompresses again with twice the room if the room was too small, because libdeflate needs room for
// the whole member.
DecompressOutcome Codec::AppendMember(Coding coding, std::string_view* compressed,
                                      std::size_t plain_bytes_max, std::string* plain) {
  if (decompressor_ == nullptr) decompressor_.reset(libdeflate_alloc_decompressor());
  if (decompressor_ == nullptr) return DecompressOutcome::kBad;
  const auto decompress =
      coding == Coding::kGzip ? libdeflate_gzip_decompress_ex : libdeflate_zlib_decompress_ex;
  const std::size_t begin = plain->size();
  for (std::size_t room = kStepBytes;; room *= 2) {
    plain->resize(std::min(begin + room, plain_bytes_max));
    std::size_t taken = 0;
    std::size_t made = 0;
    const libdeflate_result result =
        decompress(decompressor_.get(), compressed->data(), compressed->size(),
                   plain->data() + begin, plain->size() - begin, &taken, &made);
    if (result == LIBDEFLATE_SUCCESS) {
      compressed->remove_prefix(taken);
      plain->resize(begin + made);
      return DecompressOutcome::kDone;
    }
    if (result != LIBDEFLATE_INSUFFICIENT_SPACE) return DecompressOutcome::kBad;
    if (plain->size() == plain_bytes_max) return DecompressOutcome::kTooLarge;
  }
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
