// A lock that prevents two Database objects from using one directory at the same time.

#pragma once

#include <string>
#include <utility>

#include "dolmen/result.h"

namespace dolmen::engine {

// A lock on the marker file of a database (directory.h). RocksDB locks its file LOCK, but not for a
// database that is opened for reading only. If LOCK is deleted, RocksDB would let a second process
// open the database. Without the marker file Dolmen opens no directory that holds data.
class DirectoryLock {
 public:
  // Locks the directory of a database until the DirectoryLock is destroyed. Changes nothing in the
  // directory.
  // - kResourceInUse: the database is open already, in this process or in another.
  // - kStorage: the marker file cannot be opened or locked.
  static Result<DirectoryLock> Acquire(const std::string& directory);
  // Does the same, but other callers of AcquireToCopy can lock the directory at the same time.
  static Result<DirectoryLock> AcquireToCopy(const std::string& directory);
  // Locks a directory in which a database or a backup is being created, and which has no marker
  // file yet. Locks nothing if the file system cannot lock directories, as some network file
  // systems.
  // - kResourceInUse: a database or a backup is being created there already.
  static Result<DirectoryLock> AcquireToCreate(const std::string& directory);
  // Locks a directory by its marker file at `marker`. `in_use` is the message of kResourceInUse.
  static Result<DirectoryLock> AcquireMarker(const std::string& marker, std::string in_use);

  DirectoryLock(DirectoryLock&& other) noexcept;
  DirectoryLock& operator=(DirectoryLock&&) = delete;
  ~DirectoryLock();

  // Returns true if the path of the marker file still leads to the locked file. Returns false if
  // the file or the directory was deleted, moved or replaced.
  bool IsInPlace() const;

 private:
  // Locks the file or the directory at `path` by flock() with LOCK_EX or LOCK_SH.
  static Result<DirectoryLock> Lock(const std::string& path, int lock, std::string in_use);

  DirectoryLock(int file, std::string path) : file_(file), path_(std::move(path)) {}

  int file_;  // -1 in an object that locks nothing, or that was moved from
  std::string path_;
};

}  // namespace dolmen::engine
