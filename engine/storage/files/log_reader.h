// A reader of the files that RocksDB writes as logs: the write-ahead logs and the manifest.

#pragma once

#include <rocksdb/file_system.h>

#include <functional>
#include <string>
#include <string_view>

#include "dolmen/result.h"

namespace dolmen::engine {

// Reads the log at `path` of `files` and calls `on_record` with each record, from the first to the last.
// The view is valid during the call.
//
// A crash may cut off the last record of a log. ReadLog ignores such a record, as RocksDB does. If a
// bit flips in the length or the type of a record, RocksDB treats this record as cut off and
// silently drops all later records. ReadLog reports this damage.
// - kCorruption: an unreadable record precedes a readable record, or only the length or type of a
//   record is damaged.
// - kStorage: the file cannot be read.
Status ReadLog(rocksdb::FileSystem* files, const std::string& path,
               const std::function<void(std::string_view record)>& on_record);

}  // namespace dolmen::engine
