// The rules for the files of a database, kept beneath RocksDB.

#pragma once

#include <rocksdb/file_system.h>

#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "dolmen/result.h"
#include "engine/storage/logs/log_check.h"
#include "engine/storage/logs/log_list.h"

namespace dolmen::engine {

// Returns the directory of the imports (FORMAT.md) of the database in `directory`.
std::string ImportsIn(const std::string& directory);

// A file system that RocksDB uses for the files of one database:
// - A new write-ahead log is created only after the log before it is on the disk. After a power cut
//   the logs therefore hold a prefix of the acknowledged writes. Without this rule the older log
//   might lose its end while the newer log keeps its writes.
// - The list of the logs (log_list.h) names each log before the log gets its first write, and a manifest
//   before the file CURRENT names it.
// - The file CURRENT names a manifest only after the manifest's own name is on the disk.
// - A new file is readable and writable only for its owner.
// - A table file whose tail is damaged (table_tail.h) is not opened.
// - A table file of an import is read as a whole when it is opened. RocksDB 7.8 reads the first and the last key of such
//   a file as if no read could fail.
// - A log that a power cut has torn ends where it is torn.
// - A file of an import that cannot be linked, by which RocksDB moves it, is copied.
// - The directory "archive" does not exist if it cannot be looked for. No database has one, and
//   RocksDB 7.8 would end the process.
// All other reads go to the underlying file system directly. Thread-safe.
class DatabaseFiles : public rocksdb::FileSystemWrapper {
 public:
  // Adds the rules to `base` for the files in `directory`. `logs` is the result of CheckLogs.
  DatabaseFiles(const std::shared_ptr<rocksdb::FileSystem>& base, std::string directory,
                CheckedLogs logs);

  // Adds the log that RocksDB has created while it opened the database to the list, and removes the
  // logs that are no longer in the list. From now on `last_write` returns the number of the last
  // write; it is called when RocksDB creates a log.
  // - kStorage: the list cannot be written.
  Status Opened(std::function<std::uint64_t()> last_write);

  // Returns the list for a copy of the database, with all writes up to now. The writes may be in the
  // operating system's memory only. The list lacks the manifest and the logs that may be empty, because
  // RocksDB may give the copy newer ones.
  // REQUIRES: no write has failed.
  LogList LogsNow();

  // From now on only notes the table files that RocksDB deletes. RocksDB 7.8 deletes a file that it adds and then cannot
  // list in the manifest, though the manifest on the disk may list it. If EndToKeepTableFiles is not called, the next
  // opening deletes what is not in the manifest.
  void BeginToKeepTableFiles();
  // Deletes the files that were noted. For one thread, after each call of BeginToKeepTableFiles.
  void EndToKeepTableFiles();

  // Notes in the list that the newest log holds all writes. The caller has synced the log, and no
  // write follows. An error leaves the list unchanged. The next opening then only checks less.
  void Closing();

  const char* Name() const override { return "DolmenDatabaseFiles"; }
  rocksdb::IOStatus NewWritableFile(const std::string& path, const rocksdb::FileOptions& options,
                                    std::unique_ptr<rocksdb::FSWritableFile>* file,
                                    rocksdb::IODebugContext* debug) override;
  rocksdb::IOStatus NewSequentialFile(const std::string& path, const rocksdb::FileOptions& options,
                                      std::unique_ptr<rocksdb::FSSequentialFile>* file,
                                      rocksdb::IODebugContext* debug) override;
  rocksdb::IOStatus NewRandomAccessFile(const std::string& path,
                                        const rocksdb::FileOptions& options,
                                        std::unique_ptr<rocksdb::FSRandomAccessFile>* file,
                                        rocksdb::IODebugContext* debug) override;
  rocksdb::IOStatus FileExists(const std::string& path, const rocksdb::IOOptions& options,
                               rocksdb::IODebugContext* debug) override;
  rocksdb::IOStatus LinkFile(const std::string& from, const std::string& to,
                             const rocksdb::IOOptions& options,
                             rocksdb::IODebugContext* debug) override;
  rocksdb::IOStatus DeleteFile(const std::string& path, const rocksdb::IOOptions& options,
                               rocksdb::IODebugContext* debug) override;
  rocksdb::IOStatus RenameFile(const std::string& from, const std::string& to,
                               const rocksdb::IOOptions& options,
                               rocksdb::IODebugContext* debug) override;
  rocksdb::IOStatus LockFile(const std::string& path, const rocksdb::IOOptions& options,
                             rocksdb::FileLock** lock, rocksdb::IODebugContext* debug) override;

 private:
  // Creates a file that only its owner may access.
  rocksdb::IOStatus MakeFile(const std::string& path, const rocksdb::FileOptions& options,
                             std::unique_ptr<rocksdb::FSWritableFile>* file,
                             rocksdb::IODebugContext* debug);
  // Lists also the manifest that `current` names, which will replace the file CURRENT. Sets `*next` to it.
  rocksdb::IOStatus BeginManifest(const std::string& current, ListedManifest* next);
  // Syncs the newest log and notes in the list that it holds all writes.
  rocksdb::IOStatus EndNewestLog();
  // Adds a new log to the list and writes the list.
  rocksdb::IOStatus BeginLog(std::uint64_t log);
  // Writes the list. Syncs the manifest before, and notes how long it is.
  rocksdb::IOStatus WriteList();
  // Syncs a file that somebody else writes.
  rocksdb::IOStatus SyncFile(const std::string& path);
  // Removes the logs that are older than the list. RocksDB has read all logs, and keeps those that
  // hold no write until a log holds one. Each opening would leave one more.
  void RemoveUnlistedLogs();

  const std::string directory_;
  const TornLogs torn_;
  std::mutex mutex_;  // guards the members below
  bool keeps_tables_ = false;
  std::vector<std::string> kept_tables_;
  std::function<std::uint64_t()> last_write_;  // null until RocksDB has opened the database
  std::optional<std::uint64_t> unlisted_;      // the log that was created before that
  LogList listed_;
};

}  // namespace dolmen::engine
