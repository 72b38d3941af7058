// A filter of system calls (seccomp(2)), as programs set that confine themselves or the libraries in them.

#pragma once

#include <cstdint>
#include <optional>
#include <vector>

namespace dolmen::test {

// A system call, or those of its calls whose third argument has the value `third`, or any other value.
struct FilteredCall {
  int number;
  std::optional<std::uint32_t> third = {};
  bool but_third = false;
};

// Sets a filter for all threads of this process and its children. A call of these kills the
// process if `error` is 0, and fails with this error otherwise. Returns false if the kernel has no filters.
bool FilterSystemCalls(const std::vector<FilteredCall>& calls, int error);

}  // namespace dolmen::test
