#include "engine/storage/files/table_tail.h"

#include <xxhash.h>

#include <algorithm>
#include <cstddef>
#include <limits>
#include <optional>
#include <string>
#include <string_view>

#include "engine/storage/files/little_endian.h"

namespace dolmen::engine {
namespace {

using rocksdb::IOStatus;

// The footer: the type of the checksums, one byte; the places of the metaindex and of the index,
// padded with zeros; the version of the format; a constant. options.cc selects type and version.
constexpr std::size_t kFooterBytes = 53;
constexpr std::size_t kVersionOffset = 41;
constexpr std::size_t kConstantOffset = 45;
constexpr char kXxh3 = 4;
constexpr std::uint64_t kFormatVersion5 = 5;
constexpr std::uint64_t kTableConstant = 0x88e241b785f4cff7;

// A block is followed by the type of its compression, one byte, and its checksum, four bytes.
constexpr std::size_t kTrailerBytes = 5;
constexpr std::uint64_t kMetaBytesMax = 1 << 20;  // Dolmen's files have some hundred bytes
constexpr std::string_view kPropertiesName = "rocksdb.properties";

// The place of a block in the file.
struct BlockPlace {
  std::uint64_t offset = 0;
  std::uint64_t size = 0;  // without the trailer
};

std::optional<BlockPlace> TakePlace(std::string_view* bytes) {
  const std::optional<std::uint64_t> offset = TakeVarint(bytes);
  const std::optional<std::uint64_t> size = TakeVarint(bytes);
  if (!offset || !size) return std::nullopt;
  return BlockPlace{*offset, *size};
}

// Returns the position behind the block's trailer. Returns the greatest number if the position does
// not fit into 64 bits.
std::uint64_t EndOf(const BlockPlace& place) {
  constexpr std::uint64_t kMax = std::numeric_limits<std::uint64_t>::max();
  const bool fits =
      place.offset < kMax - kTrailerBytes && place.size < kMax - kTrailerBytes - place.offset;
  return fits ? place.offset + place.size + kTrailerBytes : kMax;
}

// Reads `size` bytes at `offset` into `*bytes`.
IOStatus ReadAt(const rocksdb::FSRandomAccessFile& file, std::uint64_t offset, std::size_t size,
                std::string* bytes) {
  std::string space(size, '\0');
  rocksdb::Slice read;
  IOStatus status = file.Read(offset, size, {}, &read, space.data(), nullptr);
  bytes->assign(read.data(), status.ok() ? read.size() : 0);
  if (status.ok() && bytes->size() != size) return IOStatus::Corruption("a file has lost its end");
  return status;
}

// Returns the checksum of a block and the byte behind it, as RocksDB computes it.
std::uint64_t BlockChecksum(std::string_view block_and_type) {
  const std::string_view block = block_and_type.substr(0, block_and_type.size() - 1);
  const auto type = static_cast<unsigned char>(block_and_type.back());
  return (XXH3_64bits(block.data(), block.size()) ^ type * std::uint64_t{0x6b9083d9}) & 0xFFFFFFFF;
}

// Reads the block at `place` and checks its checksum.
IOStatus ReadCheckedBlock(const rocksdb::FSRandomAccessFile& file, const BlockPlace& place,
                          std::uint64_t end, std::string* block) {
  if (place.size > kMetaBytesMax || EndOf(place) > end) {
    return IOStatus::Corruption("a table file names a block outside the file");
  }
  IOStatus status = ReadAt(file, place.offset, place.size + kTrailerBytes, block);
  if (!status.ok()) return status;
  const std::string_view bytes = *block;
  if (BlockChecksum(bytes.substr(0, place.size + 1)) !=
      LittleEndian(bytes.substr(place.size + 1))) {
    return IOStatus::Corruption("block checksum mismatch at the end of a table file");
  }
  block->resize(place.size);
  return status;
}

// Returns the place of the properties in the metaindex. The checksum of the metaindex is right. An
// entry has the number of bytes that its key shares with the key before it, which is 0, the sizes
// of its key and its value, and both.
std::optional<BlockPlace> FindProperties(std::string_view metaindex) {
  while (TakeVarint(&metaindex)) {
    const std::optional<std::uint64_t> key_size = TakeVarint(&metaindex);
    const std::optional<std::uint64_t> value_size = TakeVarint(&metaindex);
    if (!key_size || *key_size > metaindex.size() || !value_size ||
        *value_size > metaindex.size() - *key_size) {
      break;
    }
    const std::string_view key = metaindex.substr(0, *key_size);
    std::string_view value = metaindex.substr(*key_size, *value_size);
    if (key == kPropertiesName) return TakePlace(&value);
    metaindex.remove_prefix(*key_size + *value_size);
  }
  return std::nullopt;
}

}  // namespace

IOStatus CheckTableTail(const rocksdb::FSRandomAccessFile& file, std::uint64_t size) {
  const IOStatus damaged = IOStatus::Corruption("the footer of a table file is damaged");
  if (size < kFooterBytes) return damaged;
  const std::uint64_t footer_start = size - kFooterBytes;
  std::string bytes;
  if (IOStatus read = ReadAt(file, footer_start, kFooterBytes, &bytes); !read.ok()) return read;
  const std::string_view footer = bytes;
  std::string_view places = footer.substr(1, kVersionOffset - 1);
  const std::optional<BlockPlace> metaindex = TakePlace(&places);
  const std::optional<BlockPlace> index = TakePlace(&places);
  const bool is_sound = footer[0] == kXxh3 && metaindex && index &&
                        EndOf(*metaindex) == footer_start && EndOf(*index) <= metaindex->offset &&
                        std::ranges::all_of(places, [](char c) { return c == '\0'; }) &&
                        LittleEndian(footer.substr(kVersionOffset, 4)) == kFormatVersion5 &&
                        LittleEndian(footer.substr(kConstantOffset)) == kTableConstant;
  if (!is_sound) return damaged;
  std::string block;
  const IOStatus read = ReadCheckedBlock(file, *metaindex, footer_start, &block);
  if (!read.ok()) return read;
  const std::optional<BlockPlace> properties = FindProperties(block);
  if (!properties) return IOStatus::Corruption("a table file has no properties");
  return ReadCheckedBlock(file, *properties, footer_start, &block);
}

}  // namespace dolmen::engine
