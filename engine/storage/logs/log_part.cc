#include "engine/storage/logs/log_part.h"

#include <algorithm>
#include <array>
#include <boost/crc.hpp>

#include "engine/storage/files/little_endian.h"

namespace dolmen::engine {
namespace {

constexpr std::size_t kChecksumBytes = 4;
constexpr std::size_t kLengthBytes = 2;  // after the checksum; the type follows

// The smallest unit that disks write. A power cut loses whole sectors. File systems write pages of several sectors, and a
// page may also be as it was after an earlier write: then zeros follow what was written by then.
constexpr std::size_t kSectorBytes = 512;
// So many zeros at the end of a sector count as the end of an earlier write.
constexpr std::size_t kZerosMin = 64;
// The size of AES's blocks. The decryption keeps zeros that were never written, except in the block in which the written
// bytes end: the rest of that block becomes arbitrary bytes.
constexpr std::size_t kCipherBlockBytes = 16;

std::size_t RoundUp(std::size_t at, std::size_t unit) { return (at + unit - 1) / unit * unit; }

// Returns true if the bytes, which end with a sector, end with bytes that were lost.
bool EndsWithLostBytes(std::string_view bytes) {
  const std::size_t zeros = bytes.size() - (bytes.find_last_not_of('\0') + 1);
  return zeros > 0 && zeros >= std::min(kZerosMin, bytes.size());
}

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

bool HasLostSector(std::string_view block, std::size_t at) {
  std::size_t end = block.size();
  if (at + kLogHeaderBytes <= block.size()) {
    const std::size_t length = LittleEndian(block.substr(at + kChecksumBytes, kLengthBytes));
    end = std::min(end, at + kLogHeaderBytes + length);
  }
  // Looks at the first sector in any case, because the header itself may be lost.
  std::size_t from = RoundUp(at, kCipherBlockBytes);
  do {
    if (from >= block.size()) return false;
    const std::size_t sector_end = std::min(RoundUp(from + 1, kSectorBytes), block.size());
    if (EndsWithLostBytes(block.substr(from, sector_end - from))) return true;
    from = sector_end;
  } while (from < end);
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
  // Skips parts of which sectors are lost, but not the headers.
  while (part && part->end < block.size() && (HasLostSector(block, at) || begins_at(part->end))) {
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
