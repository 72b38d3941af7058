// A check of a database's write-ahead logs before RocksDB reads them. It finds damage that RocksDB
// treats as the end of the logs.

#pragma once

#include <filesystem>

#include "dolmen/result.h"

namespace dolmen::engine {

// Checks the manifest and the write-ahead logs that the database in `directory` still needs.
//
// Only the newest log may have lost its end, in a crash. Dolmen brings a log to the disk before it
// writes to the next one. RocksDB accepts more: it reads on in the next log, although writes before
// it are lost, and it ignores that a log is missing. CheckLogs changes nothing.
// - kCorruption: a record is damaged; writes are missing between two logs; or a log of the list
//   (log_list.h) is missing or lacks writes that it is known to hold.
// - kStorage: a file cannot be read.
// REQUIRES: no other Database object, in this process or in another, has the directory open.
Status CheckLogs(const std::filesystem::path& directory);

}  // namespace dolmen::engine
