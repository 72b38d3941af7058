#include "engine/storage/files/process_limits.h"

#include <fcntl.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <climits>
#include <system_error>

namespace dolmen::engine {
namespace {

std::atomic<std::uint64_t> latest_file_bytes_max = UINT64_MAX;

// Returns the limit that is in force, or the greatest number if there is none.
std::uint64_t SoftLimit(decltype(RLIMIT_FSIZE) resource) {
  rlimit limit = {};
  if (::getrlimit(resource, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY) return UINT64_MAX;
  return limit.rlim_cur;
}

}  // namespace

std::uint64_t FileBytesMax() {
  const std::uint64_t limit = SoftLimit(RLIMIT_FSIZE);
  latest_file_bytes_max.store(limit, std::memory_order_relaxed);
  return limit;
}

std::uint64_t LatestFileBytesMax() { return latest_file_bytes_max.load(std::memory_order_relaxed); }

Status CheckFileBytes(std::string_view path, std::uint64_t bytes) {
  const std::uint64_t limit = FileBytesMax();
  if (bytes <= limit) return {};
  return Status::Storage(std::string(path)
                             .append(" needs ")
                             .append(std::to_string(bytes))
                             .append(" bytes, but the process may write only ")
                             .append(std::to_string(limit))
                             .append(" bytes to a file: raise the limit of a file's size "
                                     "(ulimit -f) and retry"));
}

std::string ErrorText(int error) {
  const std::string text = std::generic_category().message(error);
  if (error == EMFILE) {
    return text + ": close some, or raise the process's limit of open files (ulimit -n), and retry";
  }
  if (error == ENFILE) {
    return text +
           ": close some, or raise the system's limit of open files (fs.file-max), and retry";
  }
  return text;
}

int OpenFilesMax() {
  constexpr std::uint64_t kMax = 1 << 20;
  constexpr std::uint64_t kPart = 5;
  return static_cast<int>(std::min(kMax, SoftLimit(RLIMIT_NOFILE) / kPart));
}

int DescriptorErrorIn(std::string_view text) {
  for (const int error : {EMFILE, ENFILE}) {
    if (text.find(std::generic_category().message(error)) != std::string_view::npos) return error;
  }
  return 0;
}

Status CheckDescriptors(int files) {
  const auto limit = static_cast<int>(std::min<std::uint64_t>(SoftLimit(RLIMIT_NOFILE), INT_MAX));
  int free = 0;
  // A new descriptor gets the lowest free number, so the highest numbers are usually free.
  for (int number = limit - 1; number >= 0 && free < files; --number) {
    if (::fcntl(number, F_GETFD) < 0) ++free;
  }
  return free < files ? Status::Storage(ErrorText(EMFILE)) : Status();
}

}  // namespace dolmen::engine
