// A check of a database's write-ahead logs before RocksDB reads them. It finds damage that RocksDB
// treats as the end of the logs.

#pragma once

#include <rocksdb/file_system.h>

#include <string>

#include "dolmen/result.h"

namespace dolmen::engine {

// Checks the manifest and the write-ahead logs that the database in `directory` of `files`
// still needs.
//
// A crash may cut off the end of the newest log only, because Dolmen syncs a log before it writes to
// the next log. RocksDB also accepts an older log without its end, and a missing log. It then
// continues with the next log, although writes are lost. CheckLogs changes nothing.
// - kCorruption: a record is damaged; writes are missing between two logs; the list of the logs
//   (log_list.h) is missing although the marker file says that it exists; or a log of the list is
//   missing or lacks writes that it is known to hold.
// - kStorage: a file cannot be read.
// REQUIRES: no other Database object, in this process or in another, has the directory open.
Status CheckLogs(rocksdb::FileSystem* files, const std::string& directory);

}  // namespace dolmen::engine
