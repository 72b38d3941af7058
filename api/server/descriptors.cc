#include "server/descriptors.h"

#include <sys/resource.h>

#include <algorithm>
#include <filesystem>
#include <system_error>

namespace dolmen::server {
namespace {

// The number to use if descriptors are unlimited. It is more than any process has.
constexpr rlim_t kUnlimited = 1 << 24;

std::size_t Limit() {
  rlimit limit = {};
  if (::getrlimit(RLIMIT_NOFILE, &limit) != 0) return 0;
  return static_cast<std::size_t>(std::min(limit.rlim_cur, kUnlimited));
}

}  // namespace

void RaiseDescriptorLimit() {
  rlimit limit = {};
  if (::getrlimit(RLIMIT_NOFILE, &limit) != 0) return;
  limit.rlim_cur = limit.rlim_max;
  ::setrlimit(RLIMIT_NOFILE, &limit);
}

std::size_t DescriptorsLeft() {
  std::size_t open = 0;
  std::error_code error;
  for (std::filesystem::directory_iterator each("/proc/self/fd", error), end; !error && each != end;
       each.increment(error)) {
    ++open;
  }
  if (error == std::errc::too_many_files_open) return 0;
  const std::size_t limit = Limit();
  return limit - std::min(limit, open);
}

}  // namespace dolmen::server
