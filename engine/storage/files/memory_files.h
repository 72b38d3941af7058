// The files of databases in memory.

#pragma once

#include <rocksdb/env.h>
#include <rocksdb/file_system.h>

#include <atomic>
#include <cstdint>
#include <memory>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "dolmen/result.h"
#include "engine/base/mutex.h"
#include "engine/storage/files/table_bytes.h"

namespace dolmen::engine {

// A file system in memory. A database and its forks share one, so that they can share their table
// files: a link is a second name of a file, and the file lives as long as one of its names.
//
// The file system rejects the files OPTIONS-*. RocksDB writes its options when it opens a database,
// and reads them again to check the file: 70 % of the instructions of an opening. RocksDB ignores
// the error, except if kNeedsOptionsFile. No program could read such a file, because it would be in memory.
//
// The map `tables_` has the bytes of table files. RocksDB's file system in memory has all other files, and
// an empty file with the name of each table file.
//
// Thread-safe. But a table file may be read, and its size asked for, only after its writer is closed.
class MemoryFiles : public rocksdb::FileSystemWrapper {
 public:
  static std::shared_ptr<MemoryFiles> Create();

  // Returns a path that no earlier call has returned.
  std::string NextDirectory() { return "/dolmen/" + std::to_string(++directories_); }

  const char* Name() const override { return "DolmenMemoryFiles"; }
  rocksdb::IOStatus NewWritableFile(const std::string& path, const rocksdb::FileOptions& options,
                                    std::unique_ptr<rocksdb::FSWritableFile>* file,
                                    rocksdb::IODebugContext* debug) override;
  rocksdb::IOStatus NewRandomAccessFile(const std::string& path,
                                        const rocksdb::FileOptions& options,
                                        std::unique_ptr<rocksdb::FSRandomAccessFile>* file,
                                        rocksdb::IODebugContext* debug) override;
  rocksdb::IOStatus NewSequentialFile(const std::string& path, const rocksdb::FileOptions& options,
                                      std::unique_ptr<rocksdb::FSSequentialFile>* file,
                                      rocksdb::IODebugContext* debug) override;
  rocksdb::IOStatus GetFileSize(const std::string& path, const rocksdb::IOOptions& options,
                                std::uint64_t* size, rocksdb::IODebugContext* debug) override;
  rocksdb::IOStatus GetChildrenFileAttributes(const std::string& directory,
                                              const rocksdb::IOOptions& options,
                                              std::vector<rocksdb::FileAttributes>* files,
                                              rocksdb::IODebugContext* debug) override;
  rocksdb::IOStatus LinkFile(const std::string& from, const std::string& to,
                             const rocksdb::IOOptions& options,
                             rocksdb::IODebugContext* debug) override;
  rocksdb::IOStatus RenameFile(const std::string& from, const std::string& to,
                               const rocksdb::IOOptions& options,
                               rocksdb::IODebugContext* debug) override;
  rocksdb::IOStatus DeleteFile(const std::string& path, const rocksdb::IOOptions& options,
                               rocksdb::IODebugContext* debug) override;

 private:
  explicit MemoryFiles(std::unique_ptr<rocksdb::Env> env);

  // Returns the bytes of the table file, or null if `path` has another file or none.
  std::shared_ptr<TableBytes> Table(const std::string& path) DOLMEN_EXCLUDES(mutex_);
  // Gives the path these bytes, or removes the path from the map if `table` is null.
  void SetTable(const std::string& path, std::shared_ptr<TableBytes> table) DOLMEN_EXCLUDES(mutex_);

  const std::unique_ptr<rocksdb::Env> env_;  // owns the files
  std::atomic<std::uint64_t> directories_ = 0;
  Mutex mutex_;
  std::unordered_map<std::string, std::shared_ptr<TableBytes>> tables_ DOLMEN_GUARDED_BY(mutex_);
};

// A directory in memory. The destructor deletes its files.
class MemoryDirectory {
 public:
  // Creates an empty directory.
  explicit MemoryDirectory(std::shared_ptr<MemoryFiles> files);
  ~MemoryDirectory();
  MemoryDirectory(const MemoryDirectory&) = delete;
  MemoryDirectory& operator=(const MemoryDirectory&) = delete;

  const std::string& path() const { return path_; }
  const std::shared_ptr<MemoryFiles>& files() const { return files_; }

  // Returns a new directory with links to all files of this one, which no program changes.
  // - kStorage: the file system returns an error.
  Result<std::shared_ptr<MemoryDirectory>> Link() const;

 private:
  const std::shared_ptr<MemoryFiles> files_;
  const std::string path_;
};

}  // namespace dolmen::engine
