// The backups of the tables of an open database.

#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "dolmen/result.h"
#include "dolmen/table_backup.h"
#include "engine/base/mutex.h"
#include "engine/recovery/backup_record.h"
#include "engine/schema/table_schema.h"
#include "engine/storage/files/memory_files.h"
#include "engine/storage/store.h"

namespace dolmen::engine {

// The backups of the tables of a database. Each backup is a copy of the whole database that shares
// its table files: a directory below the directory of the database, or a directory in memory. A
// directory has the name of an unfinished one until it is complete, and again before it is emptied.
// So a crash leaves either a complete backup or files that Load deletes, and a backup that lacks a
// file is known to be damaged. FORMAT.md describes the files.
//
// Thread-safe.
class TableBackups {
 public:
  // Borrows the store, which must outlive the object.
  explicit TableBackups(Store* store) : store_(store) {}

  // Reads the descriptions of the backups. Deletes unfinished backups if the store can be written. A
  // backup whose description cannot be used is listed as damaged (TableBackup::damage).
  // - kStorage: the directory of the backups cannot be read.
  // REQUIRES: no other method was called before.
  Status Load();

  // Copies the store. Returns the backup with its id. `record.schema` is the table's schema.
  // - kValidation: the store was opened with read_only.
  // - kStorage, kCorruption: a file cannot be read or written. The backup does not exist then. Only a
  //   crash of the machine may bring it back, complete, if its directory could not be synced.
  Result<TableBackup> Create(BackupRecord record);

  // - kResourceNotFound: the backup does not exist.
  Result<TableBackup> Find(std::string_view id) const;
  // Returns all backups in the order of their creation.
  std::vector<TableBackup> List() const;

  // Reads the descriptions of all backups again, and their logs and manifests. Returns what is wrong with them.
  std::vector<std::string> FindDamage() const;

  // Deletes the backup.
  // - kResourceNotFound: the backup does not exist.
  // - kBackupInUse: the backup is open.
  // - kStorage: its files cannot be deleted. The backup exists then.
  Result<TableBackup> Delete(std::string_view id);

  // An open backup. It must not outlive its TableBackups.
  class Reader {
   public:
    Reader(TableBackups* owner, std::string id, TableSchema schema)
        : owner_(owner), id_(std::move(id)), schema_(std::move(schema)) {}
    ~Reader();
    Reader(const Reader&) = delete;
    Reader& operator=(const Reader&) = delete;

    const TableSchema& schema() const { return schema_; }
    const Store& store() const { return *store_; }

   private:
    friend class TableBackups;
    TableBackups* const owner_;
    const std::string id_;
    const TableSchema schema_;
    std::unique_ptr<Store> store_;
  };

  // Opens the backup.
  // - kResourceNotFound: the backup does not exist.
  // - kBackupInUse: the backup is open already.
  // - kStorage, kCorruption: the files of the backup cannot be read, or the backup is damaged.
  Result<std::unique_ptr<Reader>> Open(std::string_view id);

 private:
  struct Kept {
    TableBackup backup = {};
    std::optional<TableSchema> schema = {};              // nothing: the backup is damaged
    std::shared_ptr<const MemoryDirectory> memory = {};  // null: the files are on the disk
    bool is_open = false;
  };

  // Returns an id that no backup has: the time in milliseconds and a hash.
  std::string NewId(const BackupRecord& record) DOLMEN_REQUIRES(mutex_);
  // Returns the directory of a backup on the disk.
  std::string DirectoryOf(std::string_view id) const;
  // Returns the name of this directory while it is filled or emptied.
  std::string UnfinishedDirectoryOf(std::string_view id) const;
  void LoadBackup(const std::string& id);
  // - kCorruption, kUnsupportedFormat, kStorage: the description is missing, damaged, of a newer
  //   release, or cannot be read. The message names its file.
  Result<BackupRecord> ReadDescription(const std::string& id) const;
  // - The errors of ReadDescription().
  // - kCorruption: the logs and manifests are not those with which the backup was created.
  Status CheckFiles(const std::string& id) const;
  // Creates the files of the backup on the disk. Sets the hash in the record.
  Status CreateFiles(BackupRecord* record);
  // Adds the description to the files in `place`, and gives their directory the name of the backup.
  Status FinishFiles(const CopyPlace& place, BackupRecord* record);
  // Deletes the files of the backup. After an error they are complete.
  Status DeleteFiles(const std::string& id);
  Result<std::unique_ptr<Store>> OpenStore(const std::string& id,
                                           const std::shared_ptr<const MemoryDirectory>& memory);
  void Close(const std::string& id) DOLMEN_EXCLUDES(mutex_);

  Store* const store_;
  mutable Mutex mutex_;
  // The backups by their ids, which sort by the time of their creation.
  std::map<std::string, Kept, std::less<>> backups_ DOLMEN_GUARDED_BY(mutex_);
  std::uint64_t ids_ DOLMEN_GUARDED_BY(mutex_) = 0;
};

}  // namespace dolmen::engine
