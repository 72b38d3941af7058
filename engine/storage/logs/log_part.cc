#include "engine/storage/logs/log_part.h"

#include <algorithm>
#include <array>
#include <boost/crc.hpp>

#include "engine/storage/files/little_endian.h"

namespace dolmen::engine {
namespace {

constexpr std::size_t kChecksumBytes = 4;
constexpr std::size_t kLengthBytes = 2;  // after the checksum; the type follows

// The size of the pages in which file systems write files. A power cut loses whole pages.
constexpr std::size_t kPageBytes = 4096;

using Crc32c = boost::crc_optimal<32, 0x1EDC6F41, 0xFFFFFFFF, 0xFFFFFFFF, true, true>;

// Returns the checksum as RocksDB stores it: rotated, plus a constant. RocksDB does so because a
// CRC of bytes that contain their own CRC is weak.
std::uint32_t ToStored(const Crc32c& crc) {
  const std::uint32_t sum = crc.checksum();
  return ((sum >> 15) | (sum << 17)) + 0xA282EAD8;
}

std::uint64_t StoredChecksum(std::string_view block, std::size_t at) {
  return LittleEndian(block.substr(at, kChecksumBytes));
}

// Returns the part as the header at `at` describes it. The block may end before the part. Returns
// nothing if the header is not whole, or if RocksDB writes no such part there.
std::optional<LogPart> DescribedPart(std::string_view block, std::size_t at) {
  if (at + kLogHeaderBytes > block.size()) return std::nullopt;
  const std::size_t length = LittleEndian(block.substr(at + kChecksumBytes, kLengthBytes));
  const std::size_t begin = at + kLogHeaderBytes;
  const LogPart part{.type = static_cast<PartType>(block[begin - 1]),
                     .payload = block.substr(begin, length),
                     .end = begin + length};
  switch (part.type) {
    case PartType::kWhole:
      return part.end <= kLogBlockBytes ? std::optional(part) : std::nullopt;
    case PartType::kFirst:
      return part.end == kLogBlockBytes ? std::optional(part) : std::nullopt;
    case PartType::kMiddle:
      return at == 0 && part.end == kLogBlockBytes ? std::optional(part) : std::nullopt;
    case PartType::kLast:
      return at == 0 && part.end <= kLogBlockBytes ? std::optional(part) : std::nullopt;
  }
  return std::nullopt;
}

bool IsReadable(const LogPart& part, std::string_view block, std::size_t at) {
  if (part.end > block.size()) return false;
  Crc32c crc;
  crc.process_byte(static_cast<unsigned char>(part.type));
  crc.process_bytes(part.payload.data(), part.payload.size());
  return ToStored(crc) == StoredChecksum(block, at);
}

}  // namespace

std::optional<LogPart> ReadPart(std::string_view block, std::size_t at) {
  const std::optional<LogPart> part = DescribedPart(block, at);
  return part && IsReadable(*part, block, at) ? part : std::nullopt;
}

bool HasLostPage(std::string_view block, std::size_t at) {
  std::size_t end = block.size();
  if (at + kLogHeaderBytes <= block.size()) {
    const std::size_t length = LittleEndian(block.substr(at + kChecksumBytes, kLengthBytes));
    end = std::min(end, at + kLogHeaderBytes + length);
  }
  while (at < end) {
    const std::size_t page_end = std::min((at / kPageBytes + 1) * kPageBytes, block.size());
    const std::string_view page = block.substr(at, page_end - at);
    if (std::ranges::all_of(page, [](char byte) { return byte == '\0'; })) return true;
    at = page_end;
  }
  return false;
}

std::optional<std::size_t> EndByChecksum(std::string_view block, std::size_t at) {
  const auto ends_at = [&](std::size_t end) {
    return end + kLogHeaderBytes > block.size() || ReadPart(block, end);
  };
  if (StoredChecksum(block, at) == 0) return std::nullopt;  // zeros, not a header
  for (const PartType type :
       {PartType::kWhole, PartType::kFirst, PartType::kMiddle, PartType::kLast}) {
    Crc32c crc;
    crc.process_byte(static_cast<unsigned char>(type));
    for (std::size_t end = at + kLogHeaderBytes; end <= block.size(); ++end) {
      if (ToStored(crc) == StoredChecksum(block, at) && ends_at(end)) return end;
      if (end < block.size()) crc.process_byte(static_cast<unsigned char>(block[end]));
    }
  }
  return std::nullopt;
}

std::size_t NextPart(std::string_view block, std::size_t at, const PossiblePart& is_possible) {
  const auto begins_at = [&](std::size_t position) {
    const std::optional<LogPart> part = DescribedPart(block, position);
    return part && is_possible(*part, position) && IsReadable(*part, block, position);
  };
  std::optional<LogPart> part = DescribedPart(block, at);
  // Skips parts of which pages are lost, but not the headers.
  while (part && part->end < block.size() && (HasLostPage(block, at) || begins_at(part->end))) {
    at = part->end;
    if (begins_at(at)) return at;
    part = DescribedPart(block, at);
  }
  if (const std::optional<std::size_t> end = EndByChecksum(block, at)) return *end;
  if (part && part->end >= block.size()) return block.size();  // cut off, or the last one
  while (++at < block.size()) {
    if (begins_at(at)) return at;
  }
  return block.size();
}

}  // namespace dolmen::engine
