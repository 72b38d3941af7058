// The directory of a database, and the marker file that names its format.

#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "dolmen/open_options.h"
#include "dolmen/result.h"
#include "engine/storage/files/directory_lock.h"

namespace dolmen::engine {

// The name of the marker file.
inline constexpr const char* kMarkerFile = "DOLMEN";
// The name of the marker file of a backup's directory (backup_directory.h).
inline constexpr const char* kBackupMarkerFile = "DOLMEN.backup";
// The name of an empty file in the directory that a repair fills (repair.cc).
inline constexpr const char* kRepairMark = "DOLMEN.repairing";

// Returns the first bytes of a marker file, for CheckMarker (marker.h).
// - kStorage: the file cannot be read, or is no regular file.
Result<std::string> ReadMarker(const std::filesystem::path& marker);

// Syncs the parent of the directory, so that the directory's name survives a power cut. If the parent
// cannot be read, as with the permissions 0711, syncs the directory's file system.
// - kStorage: the file system returns an error.
// REQUIRES: the path is absolute and does not end with a slash.
Status SyncParentOf(const std::filesystem::path& directory);

// Creates the directory and its missing ancestors. Only the owner may access the directory.
// - kStorage: the file system returns an error.
Status CreateForOwner(const std::filesystem::path& directory);

// Checks that `directory` belongs to a database, before RocksDB touches anything in it. If the
// directory is absent or empty and `create` is true, creates it and writes the marker file of a
// database whose files `key` encrypts.
// - kValidation: the directory holds other files, or `create` is false and the directory holds no
//   database, or `key` is not the key of the database.
// - kUnsupportedFormat: a newer release wrote the marker file.
// - kCorruption: the marker file is damaged, or RocksDB's file CURRENT is missing.
// - kResourceInUse: a database or a backup is being created there by another call.
// - kStorage: the file system returns an error.
Status PrepareDirectory(const std::filesystem::path& directory, bool create,
                        const std::optional<EncryptionKey>& key = std::nullopt);

// Notes in the marker file that the directory holds a list of its logs (log_list.h). Without the
// note, Dolmen would accept a database that has lost both the list and its newest log. Older
// releases wrote neither list nor note. An error leaves the marker without the note; the next
// opening for writing tries again.
// REQUIRES: the list is on the disk.
void MarkThatLogsAreListed(const std::filesystem::path& directory);

// Returns true if the marker file has the note of MarkThatLogsAreListed().
bool AreLogsListed(const std::filesystem::path& directory);

// Creates `directory`, which a backup or a restored database will fill, without a marker file, and
// locks it (DirectoryLock::AcquireToCreate). Accepts an empty directory.
// - kValidation: the path is empty, is a file, or is a directory that is not empty.
// - kResourceInUse: a database or a backup is being created there already.
// - kStorage: the file system returns an error.
Result<DirectoryLock> CreateEmptyDirectory(const std::filesystem::path& directory);

// Writes the marker file of a database whose files `key` encrypts, and syncs the directory. The
// directory is a database from then on. If `lists_logs`, the marker has the note of
// MarkThatLogsAreListed().
// - kStorage: the file system returns an error.
// REQUIRES: the caller has locked the directory (DirectoryLock::AcquireToCreate). If `lists_logs`,
// a list that names a log is on the disk.
Status WriteMarker(const std::filesystem::path& directory, const std::optional<EncryptionKey>& key,
                   bool lists_logs);

}  // namespace dolmen::engine
