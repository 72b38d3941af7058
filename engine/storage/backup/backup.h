// Backups of an open store, and their way back. RocksDB's BackupEngine copies the files.

#pragma once

#include <rocksdb/db.h>

#include <vector>

#include "dolmen/backup.h"
#include "dolmen/result.h"
#include "engine/storage/backup/backup_directory.h"
#include "engine/storage/logs/log_list.h"

namespace dolmen::engine {

// The part of a store that a backup copies.
struct BackupSource {
  rocksdb::DB* db = nullptr;
  LogList logs = {};  // the list of the logs when the backup begins
  bool has_logs =
      true;  // false: the memtables are flushed first, because no log holds their writes
};

// Copies the files of the source to `place`, which becomes a backup with the state that the source
// had at one moment during the call. Files that the backup in `place` has already are not copied.
// Contract and errors: Database::Backup.
// REQUIRES: `place` is outside the directory of the source.
Result<CopyOutput> WriteBackup(const BackupSource& source, const CopyPlace& place,
                               const CopyProgressHandler& progress);

// Copies the files of the backup in `from` to `to`, which becomes a database.
// Contract and errors: Database::Restore.
Result<CopyOutput> RestoreBackup(const CopyPlace& from, const CopyPlace& to,
                                 const CopyProgressHandler& progress);

}  // namespace dolmen::engine
