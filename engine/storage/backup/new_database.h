// A directory that becomes a database by copied files.

#pragma once

#include <rocksdb/file_system.h>

#include <functional>
#include <string>

#include "dolmen/result.h"
#include "engine/storage/backup/backup_directory.h"

namespace dolmen::engine {

// RocksDB's file of the database's id. Backups of different databases are told apart by it.
inline constexpr const char* kIdentityFile = "IDENTITY";

// Creates the directory of `place`, which is absent or empty. Calls `copy`, which creates RocksDB's
// files in it and returns the text of the list of their logs (log_list.h). Writes this list and the
// marker file to `files`. The directory is a database from then on. After an error it holds no
// database, and no files if they can be deleted.
// - kValidation: the directory is not empty.
// - kResourceInUse: a database or a backup is being created there already.
// - kCorruption: a log lacks writes that the list names.
// - kStorage: the file system returns an error.
// Returns the error of `copy`.
Status CreateDatabaseFrom(const CopyPlace& place, rocksdb::FileSystem* files,
                          const std::function<Result<std::string>()>& copy);

}  // namespace dolmen::engine
