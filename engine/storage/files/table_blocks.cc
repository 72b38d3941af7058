#include "engine/storage/files/table_blocks.h"

#include <xxhash.h>

#include <algorithm>
#include <limits>

#include "engine/storage/files/little_endian.h"

namespace dolmen::engine {
namespace {

// The footer: the type of the checksums, one byte; the places of the metaindex and of the index,
// padded with zeros; the version of the format; a constant. options.cc selects type and version.
constexpr std::size_t kVersionOffset = 41;
constexpr std::size_t kConstantOffset = 45;
constexpr char kXxh3 = 4;
constexpr std::uint64_t kFormatVersion5 = 5;
constexpr std::uint64_t kTableConstant = 0x88e241b785f4cff7;

}  // namespace

std::uint64_t BlockPlace::end() const {
  constexpr std::uint64_t kMax = std::numeric_limits<std::uint64_t>::max();
  const bool fits = offset < kMax - kTrailerBytes && size < kMax - kTrailerBytes - offset;
  return fits ? offset + size + kTrailerBytes : kMax;
}

std::optional<BlockPlace> TakePlace(std::string_view* bytes) {
  const std::optional<std::uint64_t> offset = TakeVarint(bytes);
  const std::optional<std::uint64_t> size = TakeVarint(bytes);
  if (!offset || !size) return std::nullopt;
  return BlockPlace{*offset, *size};
}

std::optional<TableFooter> ParseFooter(std::string_view footer, std::uint64_t footer_start) {
  if (footer.size() != kFooterBytes) return std::nullopt;
  std::string_view places = footer.substr(1, kVersionOffset - 1);
  const std::optional<BlockPlace> metaindex = TakePlace(&places);
  const std::optional<BlockPlace> index = TakePlace(&places);
  const bool is_sound = footer[0] == kXxh3 && metaindex && index &&
                        metaindex->end() == footer_start && index->end() <= metaindex->offset &&
                        std::ranges::all_of(places, [](char c) { return c == '\0'; }) &&
                        LittleEndian(footer.substr(kVersionOffset, 4)) == kFormatVersion5 &&
                        LittleEndian(footer.substr(kConstantOffset)) == kTableConstant;
  if (!is_sound) return std::nullopt;
  return TableFooter{*metaindex, *index};
}

std::uint64_t ToBlockChecksum(std::uint64_t hash, char type) {
  return (hash ^ static_cast<unsigned char>(type) * std::uint64_t{0x6b9083d9}) & 0xFFFFFFFF;
}

bool HasRightChecksum(std::string_view bytes) {
  if (bytes.size() < kTrailerBytes) return false;
  const std::string_view block = bytes.substr(0, bytes.size() - kTrailerBytes);
  const std::string_view trailer = bytes.substr(block.size());
  return ToBlockChecksum(XXH3_64bits(block.data(), block.size()), trailer[0]) ==
         LittleEndian(trailer.substr(1));
}

// An entry of the metaindex has five parts: the number of bytes that its key shares with the key
// before it (always 0), the size of its key, the size of its value, the key, and the value.
std::optional<BlockPlace> FindInMetaindex(std::string_view metaindex, std::string_view name) {
  while (TakeVarint(&metaindex)) {
    const std::optional<std::uint64_t> key_size = TakeVarint(&metaindex);
    const std::optional<std::uint64_t> value_size = TakeVarint(&metaindex);
    if (!key_size || *key_size > metaindex.size() || !value_size ||
        *value_size > metaindex.size() - *key_size) {
      break;
    }
    const std::string_view key = metaindex.substr(0, *key_size);
    std::string_view value = metaindex.substr(*key_size, *value_size);
    if (key == name) return TakePlace(&value);
    metaindex.remove_prefix(*key_size + *value_size);
  }
  return std::nullopt;
}

}  // namespace dolmen::engine
