// The form of RocksDB's table files: the footer, and the places and checksums of blocks.
// https://github.com/facebook/rocksdb/wiki/Rocksdb-BlockBasedTable-Format

#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

namespace dolmen::engine {

// A block is followed by the type of its compression, one byte, and its checksum, four bytes.
inline constexpr std::size_t kTrailerBytes = 5;
inline constexpr std::size_t kFooterBytes = 53;

// The place of a block in its file.
struct BlockPlace {
  std::uint64_t offset = 0;
  std::uint64_t size = 0;  // without the trailer

  // Returns the position behind the block's trailer. Returns the greatest number if the position
  // does not fit into 64 bits.
  std::uint64_t end() const;

  bool operator==(const BlockPlace&) const = default;
};

// Removes a place from the front of `*bytes`. Returns nothing if `*bytes` does not begin with one.
std::optional<BlockPlace> TakePlace(std::string_view* bytes);

// The places that the footer of a table file names.
struct TableFooter {
  BlockPlace metaindex = {};
  BlockPlace index = {};
};

// Returns the places in a footer that begins at `footer_start` of its file. Returns nothing if the
// footer is damaged, or if the file is not a table file of Dolmen.
std::optional<TableFooter> ParseFooter(std::string_view footer, std::uint64_t footer_start);

// Returns the checksum of a block with this XXH3 hash. `type` is the byte behind the block.
std::uint64_t ToBlockChecksum(std::uint64_t hash, char type);

// Returns true if the checksum at the end of `bytes` is right. `bytes` are a block and its trailer.
bool HasRightChecksum(std::string_view bytes);

// Returns the place that the metaindex block has for `name`. REQUIRES: its checksum is right.
std::optional<BlockPlace> FindInMetaindex(std::string_view metaindex, std::string_view name);

}  // namespace dolmen::engine
