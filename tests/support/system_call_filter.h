// A filter of system calls (seccomp(2)), as programs set that confine themselves or the libraries in them.

#pragma once

#include <cstdint>
#include <optional>
#include <vector>

namespace dolmen::test {

// A system call, or those of its calls whose argument with the index 2 has the value `third`.
struct FilteredCall {
  int number;
  std::optional<std::uint32_t> third = {};
};

// Sets a filter for all threads of this process and its children. A call of these kills the
// process if `error` is 0, and fails with this error otherwise. Returns false if the kernel has no filters.
bool FilterSystemCalls(const std::vector<FilteredCall>& calls, int error);

}  // namespace dolmen::test
