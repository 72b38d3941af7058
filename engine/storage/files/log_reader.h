// A reader of the files that RocksDB writes as logs: the write-ahead logs and the manifest.

#pragma once

#include <filesystem>
#include <functional>
#include <string_view>

#include "dolmen/result.h"

namespace dolmen::engine {

// Reads the log file at `path` and calls `on_record` with each record, from the first to the last.
// The view is valid during the call.
//
// A crash may cut off the last record of a log. ReadLog ignores such a record. RocksDB does so,
// too, but RocksDB takes more for a record that is cut off: if a bit flips in the length or the
// type of a record, RocksDB silently drops this record and all later ones. ReadLog reports this
// damage.
// - kCorruption: an unreadable record precedes a readable record, or only the length or type of a
//   record is damaged.
// - kStorage: the file cannot be read.
Status ReadLog(const std::filesystem::path& path,
               const std::function<void(std::string_view record)>& on_record);

}  // namespace dolmen::engine
