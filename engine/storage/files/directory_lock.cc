#include "engine/storage/files/directory_lock.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <system_error>
#include <utility>

#include "engine/base/standard_descriptors.h"
#include "engine/storage/files/directory.h"

namespace dolmen::engine {
namespace {

std::string OpenAlready(const std::string& directory) {
  return "the database in " + directory +
         " is open already, in this process or in another: close it there";
}

}  // namespace

Result<DirectoryLock> DirectoryLock::Acquire(const std::string& directory) {
  return Lock(directory + "/" + kMarkerFile, LOCK_EX, OpenAlready(directory));
}

Result<DirectoryLock> DirectoryLock::AcquireToCopy(const std::string& directory) {
  return Lock(directory + "/" + kMarkerFile, LOCK_SH, OpenAlready(directory));
}

Result<DirectoryLock> DirectoryLock::AcquireToCreate(const std::string& directory) {
  Result<DirectoryLock> lock =
      AcquireMarker(directory, "a database or a backup is being created in " + directory +
                                   " already, by this process or by another: wait until it exists");
  if (lock.ok() || lock.status().code() == StatusCode::kResourceInUse) return lock;
  return DirectoryLock(-1, directory);
}

Result<DirectoryLock> DirectoryLock::AcquireMarker(const std::string& marker, std::string in_use) {
  return Lock(marker, LOCK_EX, std::move(in_use));
}

Result<DirectoryLock> DirectoryLock::Lock(const std::string& path, int lock, std::string in_use) {
  OpenStandardDescriptors();  // before the first file of a database or of a backup is opened
  // Some network file systems lock only files that are open for writing.
  int file = ::open(path.c_str(), O_RDWR | O_CLOEXEC);
  if (file < 0) file = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (file >= 0 && ::flock(file, lock | LOCK_NB) == 0) return DirectoryLock(file, path);
  const int error = errno;
  if (file >= 0) ::close(file);
  if (error == EWOULDBLOCK) return Status::ResourceInUse(std::move(in_use));
  return Status::Storage("can't lock " + path + ": " + std::generic_category().message(error));
}

DirectoryLock::DirectoryLock(DirectoryLock&& other) noexcept
    : file_(std::exchange(other.file_, -1)), path_(std::move(other.path_)) {}

DirectoryLock::~DirectoryLock() {
  if (file_ < 0) return;
  // Unlocks explicitly: a child process may have inherited the file, and close() would then leave
  // the file locked.
  ::flock(file_, LOCK_UN);
  ::close(file_);
}

bool DirectoryLock::IsInPlace() const {
  struct stat locked = {};
  struct stat found = {};
  return ::fstat(file_, &locked) == 0 && ::stat(path_.c_str(), &found) == 0 &&
         locked.st_dev == found.st_dev && locked.st_ino == found.st_ino;
}

}  // namespace dolmen::engine
