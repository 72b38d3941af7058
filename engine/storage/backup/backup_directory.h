// The directory of a backup: its marker file, its lock, and the file that names the complete
// backup.
// FORMAT.md describes both files. RocksDB's BackupEngine writes all other files of the directory.

#pragma once

#include <rocksdb/file_system.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "dolmen/open_options.h"
#include "dolmen/result.h"
#include "engine/storage/files/directory_lock.h"

namespace dolmen::engine {

// The place of a backup or of a restored database.
struct CopyPlace {
  std::string directory = {};
  // The file system that holds the files. Null means the operating system's file system.
  std::shared_ptr<rocksdb::FileSystem> file_system = nullptr;
  // The key that encrypts the files. Nothing: the files are not encrypted.
  std::optional<EncryptionKey> encryption_key = std::nullopt;

  // Returns the file system that encrypts and decrypts the files.
  std::shared_ptr<rocksdb::FileSystem> Files() const;
};

// The locked directory of a backup. A backup becomes the complete backup of its directory when
// SetCurrent names it. RocksDB's own rule is to take the newest backup whose files exist, so a
// damaged list of files would silently lead to an older backup.
class BackupDirectory {
 public:
  // Locks the directory. Creates it if it is absent or empty and `create` is true. Deletes
  // what RocksDB has noted of incomplete backups.
  // - kValidation: the directory holds other files, or `create` is false and the directory holds
  //   no complete backup, or the key is not the key of the backup.
  // - kUnsupportedFormat: a newer release wrote the backup.
  // - kResourceInUse: the backup is being written or restored already.
  // - kCorruption: a file that describes the backup is damaged.
  // - kStorage: the file system returns an error.
  static Result<BackupDirectory> Open(const CopyPlace& place, bool create);

  // Returns the canonical path.
  const std::string& path() const { return path_; }
  const std::shared_ptr<rocksdb::FileSystem>& file_system() const { return file_system_; }
  // Returns the number that RocksDB gave to the complete backup. Returns nothing if no backup into
  // the directory has been completed yet.
  std::optional<std::uint32_t> current() const { return current_; }
  // Names backup `id` as the complete one. REQUIRES: the backup is on the disk.
  Status SetCurrent(std::uint32_t id);

 private:
  BackupDirectory(std::string path, std::shared_ptr<rocksdb::FileSystem> file_system,
                  DirectoryLock lock)
      : path_(std::move(path)), file_system_(std::move(file_system)), lock_(std::move(lock)) {}

  // Sets current_. Checks that the list of the files of the complete backup is undamaged.
  Status ReadCurrent();
  void DeleteOtherLists() const;
  Result<std::string> Read(const std::string& path) const;
  std::string ListPath(std::uint32_t id) const;
  // Returns the text of the file that names backup `id`, whose list of files is `list`.
  static std::string FormatCurrent(std::uint32_t id, const std::string& list);

  std::string path_;
  std::shared_ptr<rocksdb::FileSystem> file_system_;
  DirectoryLock lock_;
  std::optional<std::uint32_t> current_ = {};
};

// Returns true if `path` is `directory` or lies below it. Follows symbolic links.
bool IsInDirectory(const std::string& path, const std::string& directory);

}  // namespace dolmen::engine
