#include "engine/storage/files/directory_lock.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <system_error>
#include <utility>

#include "engine/base/standard_descriptors.h"
#include "engine/base/status_macros.h"
#include "engine/storage/files/directory.h"
#include "engine/storage/files/process_limits.h"
#include "engine/storage/files/regular_files.h"

namespace dolmen::engine {
namespace {

std::string OpenAlready(const std::string& directory) {
  return "the database in " + directory +
         " is open already, in this process or in another: close it there";
}

constexpr const char* kCantLock = "can't lock";

// Opens a file or a directory. A link to a directory leads to the directory.
Result<int> OpenToLock(const std::string& path) {
  const int directory = ::open(path.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (directory >= 0) return directory;
  // Some network file systems lock only files that are open for writing.
  Result<int> file = OpenRegularFile(path, O_RDWR, kCantLock);
  return file.ok() ? file : OpenRegularFile(path, O_RDONLY, kCantLock);
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
  DOLMEN_ASSIGN_OR_RETURN(const int file, OpenToLock(path));
  if (::flock(file, lock | LOCK_NB) == 0) return DirectoryLock(file, path);
  const int error = errno;
  ::close(file);
  if (error == EWOULDBLOCK) return Status::ResourceInUse(std::move(in_use));
  return Status::Storage(std::string(kCantLock) + " " + path + ": " + ErrorText(error));
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
  if (::stat(path_.c_str(), &found) != 0) return errno != ENOENT && errno != ENOTDIR;
  return ::fstat(file_, &locked) != 0 ||
         (locked.st_dev == found.st_dev && locked.st_ino == found.st_ino);
}

}  // namespace dolmen::engine
