// Keeping others from opening a database that is only read.

#pragma once

#include <rocksdb/env.h>

#include <optional>
#include <string>

#include "dolmen/result.h"

namespace dolmen::engine {

// RocksDB's own lock, which RocksDB does not take when it opens a database for reading only.
class DirectoryLock {
 public:
  // Changes nothing in the directory: where there is no file to be locked, as RocksDB never had it
  // open, or where this process may not write to that file, the lock is no lock.
  // kResourceInUse: somebody else has it, here or in another process.  kStorage: it can't be had.
  // `env` outlives the lock.
  static Result<DirectoryLock> Take(rocksdb::Env* env, const std::string& directory);

  DirectoryLock(DirectoryLock&& other) noexcept;
  DirectoryLock& operator=(DirectoryLock&&) = delete;
  ~DirectoryLock();

 private:
  DirectoryLock(rocksdb::Env* env, rocksdb::FileLock* lock) : env_(env), lock_(lock) {}

  rocksdb::Env* env_;
  rocksdb::FileLock* lock_;  // null: it is no lock
};

// If RocksDB says by this that the directory's lock is another one's, that in our words.
std::optional<Status> InUse(const rocksdb::Status& status, const std::string& directory);

}  // namespace dolmen::engine
