// A reader of RocksDB's manifest, the file that lists the live files of the database.

#pragma once

#include <rocksdb/file_system.h>

#include <cstdint>
#include <optional>
#include <string>

#include "dolmen/result.h"
#include "engine/storage/logs/log_list.h"

namespace dolmen::engine {

// Returns the number of the oldest write-ahead log that the database in `directory` of `files` still
// needs. The table files hold all writes of older logs. Returns nothing if the manifest is absent or
// in an unknown form; RocksDB then reports it. If a power cut has torn the manifest, adds it to
// `*torn`.
// - kCorruption: the manifest is damaged.
// - kStorage: the manifest cannot be read.
Result<std::optional<std::uint64_t>> OldestNeededLog(rocksdb::FileSystem* files,
                                                     const std::string& directory, TornLogs* torn);

}  // namespace dolmen::engine
