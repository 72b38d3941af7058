#include "engine/storage/logs/log_part.h"

#include <algorithm>
#include <array>
#include <boost/crc.hpp>

#include "engine/storage/files/little_endian.h"

namespace dolmen::engine {
namespace {

constexpr std::size_t kChecksumBytes = 4;
constexpr std::size_t kLengthBytes = 2;  // after the checksum; the type follows

// The smallest unit that disks write. A power cut loses whole sectors.
constexpr std::size_t kSectorBytes = 512;
// The unit in which file systems write files. A page may be as it was after an earlier write: then zeros follow what was
// written by then. So many zeros at the end of a page count as such.
constexpr std::size_t kPageBytes = 4096;
constexpr std::size_t kZerosMin = 64;
// The size of AES's blocks. The decryption keeps zeros that were never written, except in the block in which the written
// bytes end: the rest of that block becomes arbitrary bytes.
constexpr std::size_t kCipherBlockBytes = 16;

std::size_t RoundUp(std::size_t at, std::size_t unit) { return (at + unit - 1) / unit * unit; }

// Returns true if the bytes from `from` to `to`, or to the end of the block, are zeros, and there are some.
bool AreZeros(std::string_view block, std::size_t from, std::size_t to) {
  if (from >= std::min(to, block.size())) return false;
  return block.substr(from, to - from).find_first_not_of('\0') == block.npos;
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

bool HasLostSector(std::string_view block, std::size_t at, bool is_encrypted) {
  // The header is lost, with at most the rest of a block of the cipher before the zeros. A page that ends with this block
  // has no zeros then.
  const std::size_t first_end = RoundUp(at + 1, kSectorBytes);
  const std::size_t cipher_end = is_encrypted ? RoundUp(at, kCipherBlockBytes) : at;
  const std::size_t zeros_end = cipher_end < first_end ? first_end : cipher_end + kSectorBytes;
  if (AreZeros(block, at, first_end) || AreZeros(block, cipher_end, zeros_end)) return true;
  if (at != cipher_end && cipher_end % kPageBytes == 0) return true;
  std::size_t end = block.size();
  if (at + kLogHeaderBytes <= block.size()) {
    const std::size_t length = LittleEndian(block.substr(at + kChecksumBytes, kLengthBytes));
    end = std::min(end, at + kLogHeaderBytes + length);
  }
  // A sector of the part is lost, or a page has lost its end, which begins in the part.
  for (std::size_t sector_end = first_end; sector_end < end + kSectorBytes;
       sector_end += kSectorBytes) {
    if (sector_end > first_end && AreZeros(block, sector_end - kSectorBytes, sector_end))
      return true;
    const bool is_page_end = sector_end % kPageBytes == 0 && sector_end <= block.size();
    if (is_page_end && AreZeros(block, std::min(sector_end - kZerosMin, end - 1), sector_end))
      return true;
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
  std::optional<LogPart> part;
  for (;;) {
    // If the checksum finds the end, the length in the header is damaged, and nothing else is.
    if (const std::optional<std::size_t> end = EndByChecksum(block, at)) return *end;
    part = DescribedPart(block, at);
    if (!part || part->end >= block.size()) break;
    if (begins_at(part->end)) return part->end;
    // Skips too much rather than too little: the log may be encrypted.
    if (!HasLostSector(block, at, /*is_encrypted=*/true)) break;
    at = part->end;  // skips a part of which sectors are lost, but not the header
  }
  if (part && part->end >= block.size()) return block.size();  // cut off, or the last one
  while (++at < block.size()) {
    if (begins_at(at)) return at;
  }
  return block.size();
}

}  // namespace dolmen::engine
