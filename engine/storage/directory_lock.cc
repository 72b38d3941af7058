#include "engine/storage/directory_lock.h"

#include <unistd.h>

#include <utility>

#include "engine/storage/rocks_status.h"

namespace dolmen::engine {
namespace {

std::string LockFile(const std::string& directory) { return directory + "/LOCK"; }

}  // namespace

std::optional<Status> LockHeldError(const rocksdb::Status& status, const std::string& directory) {
  // Recognizes the error by its message, because RocksDB has no status code for a held lock.
  // RocksDB has different messages for a lock held by this process, for a lock held by another
  // process, and for a lock file that cannot be opened.
  const std::string message = status.ToString();
  const bool by_this_process = message.find("lock hold by current process") != message.npos;
  const bool by_another = message.find("While lock file: " + LockFile(directory)) != message.npos;
  if (!status.IsIOError() || (!by_this_process && !by_another)) return std::nullopt;
  return Status::ResourceInUse("the database in " + directory +
                               " is open already, in this process or in another: close it there");
}

Result<DirectoryLock> DirectoryLock::Acquire(rocksdb::Env* env, const std::string& directory) {
  const std::string file = LockFile(directory);
  // Takes no lock if the lock file does not exist or this process may not write to it, for example
  // because the file system is mounted read-only.
  if (::access(file.c_str(), W_OK) != 0) return DirectoryLock(env, nullptr);
  rocksdb::FileLock* lock = nullptr;
  const rocksdb::Status locked = env->LockFile(file, &lock);
  if (locked.ok()) return DirectoryLock(env, lock);
  const std::optional<Status> in_use = LockHeldError(locked, directory);
  return in_use ? *in_use : FromRocks(locked, "locking " + directory);
}

DirectoryLock::DirectoryLock(DirectoryLock&& other) noexcept
    : env_(other.env_), lock_(std::exchange(other.lock_, nullptr)) {}

DirectoryLock::~DirectoryLock() {
  // Ignores an error, because the operating system releases the lock when the process ends.
  if (lock_ != nullptr) env_->UnlockFile(lock_).PermitUncheckedError();
}

}  // namespace dolmen::engine
