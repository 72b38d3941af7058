// The contents of the blocks of RocksDB's table files.

#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/repair/version.h"
#include "engine/storage/files/table_blocks.h"

namespace dolmen::engine {

// The size of the largest block that FindBlockSize finds, with its trailer.
inline constexpr std::size_t kFoundBytesMax = (4 << 20) + kTrailerBytes;

// Returns true if a block of keys and values may begin with these bytes. Needs 16 of them at most.
bool MayBeginBlock(std::string_view bytes);

// Returns the size of the block that begins at the start of `bytes`, without its trailer. Returns
// nothing if no block with a right checksum begins there. Finds only blocks of keys and values.
// Computes checksums of up to kFoundBytesMax bytes.
// REQUIRES: MayBeginBlock(bytes)
std::optional<std::size_t> FindBlockSize(std::string_view bytes);

// Returns the uncompressed contents of a block. Returns nothing if they are damaged.
// REQUIRES: HasRightChecksum(bytes)
std::optional<std::string> Uncompress(std::string_view bytes);

// The contents of a block of keys and values, or of a block of deleted ranges.
struct BlockContents {
  std::vector<Version> versions = {};
  std::vector<DeletedRange> deleted = {};
};

// Returns the keys and values in a block. Returns nothing if the block has a different form.
std::optional<BlockContents> DecodeBlock(std::string_view block);

// Returns the places that an index block names, in the order of the keys. Returns nothing if the
// block is not an index block.
std::optional<std::vector<BlockPlace>> DecodeIndexBlock(std::string_view block);

}  // namespace dolmen::engine
