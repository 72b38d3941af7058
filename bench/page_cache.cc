#include "bench/page_cache.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <system_error>

namespace dolmen::bench {
namespace {

namespace fs = std::filesystem;

// Writes the pages of a file to the disk and drops them from the page cache. Returns 0 or an
// errno.
int Drop(int file) {
  if (fdatasync(file) != 0) return errno;  // unwritten pages cannot be dropped
  return posix_fadvise(file, 0, 0, POSIX_FADV_DONTNEED);
}

}  // namespace

Status DropFromPageCache(const fs::path& directory) {
  std::error_code error;
  for (const fs::directory_entry& entry : fs::directory_iterator(directory, error)) {
    const int file = open(entry.path().c_str(), O_RDONLY | O_CLOEXEC);
    const int failed = file < 0 ? errno : Drop(file);
    if (file >= 0) close(file);
    if (failed != 0) error.assign(failed, std::generic_category());
    if (error) break;
  }
  if (!error) return {};
  return Status::Storage("dropping " + directory.string() + " from memory: " + error.message());
}

}  // namespace dolmen::bench
