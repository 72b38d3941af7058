// A reader of RocksDB's manifest, the file that lists the live files of the database.

#pragma once

#include <rocksdb/file_system.h>

#include <cstdint>
#include <optional>
#include <string>

#include "dolmen/result.h"
#include "engine/storage/logs/log_list.h"

namespace dolmen::engine {

// What the manifest says that the file CURRENT names.
struct Manifest {
  std::uint64_t number = 0;  // the number in its file name
  // The oldest write-ahead log that the database still needs. The table files hold all writes of older
  // logs.
  std::uint64_t oldest_log = 0;
  // The number of a write at or after every write that the table files hold.
  std::uint64_t last_write = 0;
};

// Reads the manifest of the database in `directory` of `files`. Returns nothing if the manifest is absent
// or in an unknown form; RocksDB then reports it. If a power cut has torn the manifest, adds it to
// `*torn`. `is_encrypted`: `files` decrypts.
// - kCorruption: the manifest is damaged.
// - kStorage: the manifest cannot be read.
Result<std::optional<Manifest>> ReadManifest(rocksdb::FileSystem* files,
                                             const std::string& directory, bool is_encrypted,
                                             TornLogs* torn);

}  // namespace dolmen::engine
