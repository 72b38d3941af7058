// A check of the end of a table file, which RocksDB uses before it checks it.

#pragma once

#include <rocksdb/file_system.h>

#include <cstdint>

namespace dolmen::engine {

// The greatest size of the metaindex and of the properties.
inline constexpr std::uint64_t kMetaBytesMax = 1 << 20;

// Checks the footer of a table file of `size` bytes, and the checksums of the two blocks that
// RocksDB reads first: the metaindex and the properties. A footer has no checksum, and RocksDB
// parses the properties before it checks their checksum. RocksDB's assertions may then end the
// process. RocksDB checks the checksums of all other blocks before it parses them.
// - Corruption: a part is damaged or larger than kMetaBytesMax, or the file is not a table file of Dolmen.
// - any other error: the file cannot be read.
// https://github.com/facebook/rocksdb/wiki/Rocksdb-BlockBasedTable-Format
rocksdb::IOStatus CheckTableTail(const rocksdb::FSRandomAccessFile& file, std::uint64_t size);

}  // namespace dolmen::engine
