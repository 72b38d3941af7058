// A lock that prevents others from opening a database that is open for reading only.

#pragma once

#include <rocksdb/env.h>

#include <optional>
#include <string>

#include "dolmen/result.h"

namespace dolmen::engine {

// A lock on RocksDB's lock file, LOCK. Dolmen takes this lock for a read-only database, because
// RocksDB does not lock the file if it opens a database for reading only.
class DirectoryLock {
 public:
  // Locks the directory until the DirectoryLock is destroyed. Changes nothing in the directory.
  // Succeeds without locking anything in two cases: the lock file does not exist, because RocksDB
  // never opened the directory, or this process may not write to the lock file. `env` must outlive
  // the lock.
  // - kResourceInUse: the database is open already, in this process or in another.
  // - kStorage: the file cannot be locked.
  static Result<DirectoryLock> Acquire(rocksdb::Env* env, const std::string& directory);

  DirectoryLock(DirectoryLock&& other) noexcept;
  DirectoryLock& operator=(DirectoryLock&&) = delete;
  ~DirectoryLock();

 private:
  DirectoryLock(rocksdb::Env* env, rocksdb::FileLock* lock) : env_(env), lock_(lock) {}

  rocksdb::Env* env_;
  rocksdb::FileLock* lock_;  // null: nothing is locked
};

// Returns kResourceInUse if `status` is RocksDB's error for a directory whose lock is held, by this
// process or by another. Returns nothing for any other status.
std::optional<Status> LockHeldError(const rocksdb::Status& status, const std::string& directory);

}  // namespace dolmen::engine
