// The copies of an open store from which its forks are opened.

#pragma once

#include <rocksdb/db.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "dolmen/result.h"
#include "engine/base/mutex.h"
#include "engine/storage/backup/backup_directory.h"
#include "engine/storage/files/database_files.h"
#include "engine/storage/files/memory_files.h"

namespace dolmen::engine {

// Creates the files of forks. A fork has the state that the store has at one moment while its files
// are created, which includes every write that was acknowledged before. Other threads may read and
// write meanwhile. Thread-safe.
class Forks {
 public:
  // The files of the store: `memory`, or `files`. The other one is null.
  struct Source {
    rocksdb::DB* db;
    std::shared_ptr<const MemoryDirectory> memory;
    std::shared_ptr<DatabaseFiles> files;
  };
  explicit Forks(Source source) : source_(std::move(source)) {}

  // Returns the files of a fork in memory. No program changes them: a fork is opened with links to
  // them, and again after a reset. A store in memory shares its table files with them. Its Forks
  // keeps the files, and returns them again until the store is written.
  // - kStorage, kCorruption: a file cannot be read.
  Result<std::shared_ptr<const MemoryDirectory>> Image() DOLMEN_EXCLUDES(mutex_);

  // Creates a database at `place`, whose key is that of the store. A store on the same volume
  // shares its table files with the database. Contract and errors: Database::Fork.
  Status CreateDatabase(const CopyPlace& place);

 private:
  const Source source_;
  Mutex mutex_;
  std::shared_ptr<const MemoryDirectory> image_ DOLMEN_GUARDED_BY(mutex_);
  // The number of the store's last write before image_ was created.
  std::uint64_t image_sequence_ DOLMEN_GUARDED_BY(mutex_) = 0;
};

}  // namespace dolmen::engine
