// A check of RocksDB's logs. It finds damage that RocksDB would mistake for the end of a log.

#pragma once

#include <filesystem>

#include "dolmen/result.h"

namespace dolmen::engine {

// Checks the write-ahead logs and the manifest in `directory`. These files consist of records,
// each with a checksum.
//
// A crash may cut off the last record of a log. So RocksDB silently stops reading at a record that
// seems to be cut off. If a bit flips in a record's length or type, RocksDB takes this record for a
// record that is cut off. RocksDB then drops all later records, although they were acknowledged.
//
// Accepts a log that grows during the check. Another Database object, in this process or in
// another, is writing to this log. RocksDB later fails to open the database, because that object
// holds the lock.
// - kCorruption: an unreadable record precedes a readable record, or only the length or type of a
//   record is damaged.
// - kStorage: a file cannot be read.
Status CheckLogs(const std::filesystem::path& directory);

}  // namespace dolmen::engine
