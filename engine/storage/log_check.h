// Looks for damage that RocksDB would take for the end of a log.

#pragma once

#include <filesystem>

#include "dolmen/status.h"

namespace dolmen::engine {

// RocksDB's logs, the write-ahead logs and the manifest, are records with a checksum each.  A crash
// may leave the last one cut off, so at a record that seems to be cut off RocksDB stops reading, in
// silence.  A flipped bit in a record's length or type looks the same to it, and then all records
// behind are lost, although they were acknowledged.
//
// kCorruption if a record that can't be read is followed by one that can, or is whole but for its
// length or type.  kStorage: a file can't be read.
Status CheckLogs(const std::filesystem::path& directory);

}  // namespace dolmen::engine
