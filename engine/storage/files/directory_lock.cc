#include "engine/storage/files/directory_lock.h"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <cerrno>
#include <system_error>
#include <utility>

#include "engine/storage/files/directory.h"

namespace dolmen::engine {

Result<DirectoryLock> DirectoryLock::Acquire(const std::string& directory) {
  const std::string path = directory + "/" + kMarkerFile;
  // Some network file systems lock only files that are open for writing.
  int file = ::open(path.c_str(), O_RDWR | O_CLOEXEC);
  if (file < 0) file = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (file >= 0 && ::flock(file, LOCK_EX | LOCK_NB) == 0) return DirectoryLock(file);
  const int error = errno;
  if (file >= 0) ::close(file);
  if (error == EWOULDBLOCK) {
    return Status::ResourceInUse("the database in " + directory +
                                 " is open already, in this process or in another: close it there");
  }
  return Status::Storage("can't lock " + path + ": " + std::generic_category().message(error));
}

DirectoryLock::DirectoryLock(DirectoryLock&& other) noexcept
    : file_(std::exchange(other.file_, -1)) {}

DirectoryLock::~DirectoryLock() {
  if (file_ < 0) return;
  // Unlocks explicitly: a child process may have inherited the file, and close() would then leave
  // the file locked.
  ::flock(file_, LOCK_UN);
  ::close(file_);
}

}  // namespace dolmen::engine
