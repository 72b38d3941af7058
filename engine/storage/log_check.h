// A check of RocksDB's logs for damage that RocksDB would take for the end of a log.

#pragma once

#include <filesystem>

#include "dolmen/status.h"

namespace dolmen::engine {

// Checks the write-ahead logs and the manifest in `directory`.  Both consist of records with a
// checksum each.
//
// A crash may cut off the last record of a log.  So RocksDB silently stops reading at a record that
// seems to be cut off.  A flipped bit in a record's length or type looks the same to RocksDB.  It
// then loses all later records, although they were acknowledged.
//
// Accepts a log that grows during the check: another opener has it, and RocksDB will say so.
// - kCorruption: a record that cannot be read precedes one that can, or is whole except for its
//   length or type.
// - kStorage: a file cannot be read.
Status CheckLogs(const std::filesystem::path& directory);

}  // namespace dolmen::engine
