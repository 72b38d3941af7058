// Backups of a whole database (Database::Backup and Database::Restore).
//
//   const auto backup = db.Backup("/mnt/disk/app.backup");
//   if (!backup.ok()) return backup.status();
//   ...
//   const auto restored = Database::Restore("/mnt/disk/app.backup", "app.dolmen");
//
// A backup is a directory. It has the state of the database at one moment while Backup ran: every
// write that was acknowledged before the call and, of the writes during the call, those up to some
// moment. It keeps tables, indexes, streams, positions of subscriptions and request tokens.
//
// - A directory keeps one backup, the newest complete one. Until a backup is complete, and after an
//   error or a crash, the former backup in the directory stays as it was.
// - Only new files are copied. A backup into the same directory copies what was written and
//   compacted since the former backup, and the logs, which are about as large as two write buffers.
// - Writes do not wait. Data that is overwritten or deleted during a backup keeps its space on disk
//   until the backup ends.
// - Restore checks the checksum of every file. Backup does not read the files again that the backup
//   has already. It copies damage of the database, too: Verify finds damage.
// - Only the owner of the process may read the files.
//
// Database::Backup needs a directory that is absent or empty, or holds a backup of this database. A
// database in memory can be backed up, too; Restore makes it a database on disk. Errors:
// - kValidation: the directory holds something else, or the backup of another database.
// - kValidation: the directory is within the database's directory.
// - kValidation: the database was opened with read_only.
// - kValidation: the key is not the key of the earlier backup in the directory.
// - kUnsupportedFormat: a newer release of Dolmen wrote the backup in the directory.
// - kResourceInUse: a backup into the directory, or a restore from it or into it, is running.
// - kCorruption: the backup in the directory is damaged, so use another directory; or a file of the
//   database is missing.
// - kStorage: a file cannot be read or written, or an earlier write failed (WriteFailure).
//
// Database::Restore needs a directory that is absent or empty. After an error or a crash the
// directory holds no database. Errors:
// - kValidation: there is no complete backup, or the directory is neither absent nor empty.
// - kValidation: the key is not the key of the backup.
// - kUnsupportedFormat: a newer release of Dolmen wrote the backup.
// - kResourceInUse: a backup into the backup's directory, or another restore from it, is running.
// - kResourceInUse: another restore into the directory is running, or a database is being created there.
// - kCorruption: the backup is damaged.
// - kStorage: a file cannot be read or written.

#pragma once

#include "dolmen/internal/hide_macros.h"

#include <cstdint>
#include <functional>
#include <optional>

#include "dolmen/open_options.h"

namespace dolmen {

// The progress of a backup or of a restore.
struct CopyProgress {
  std::uint64_t bytes_copied = 0;
  double fraction = 0;  // estimated part of the bytes to copy, 0 to 1; never decreases
};

// A function that copies call after each megabyte at most. A restore of a table also calls it once,
// when it has checked its input and before it copies anything. They call it on any thread, one call
// at a time. The function returns true to continue and false to end the copying. It must not throw.
using CopyProgressHandler = std::function<bool(const CopyProgress&)>;

struct BackupOptions {
  CopyProgressHandler progress = {};
  // The key that encrypts the backup. Nothing: the key of the database, if it has one. All backups
  // into one directory need the same key.
  std::optional<EncryptionKey> encryption_key = std::nullopt;
};

struct RestoreOptions {
  CopyProgressHandler progress = {};
  // The key of the backup, which becomes the key of the restored database. Nothing: the backup is
  // not encrypted.
  std::optional<EncryptionKey> encryption_key = std::nullopt;
};

// The result of a backup or of a restore.
struct CopyOutput {
  std::uint64_t bytes = 0;         // the size of the backup's files
  std::uint64_t bytes_copied = 0;  // the bytes written, without the files that existed before
  // False if the progress handler ended the copying. The directory then has the former backup, if
  // it had one. A restore leaves nothing.
  bool complete = true;
};

}  // namespace dolmen

#include "dolmen/internal/show_macros.h"
