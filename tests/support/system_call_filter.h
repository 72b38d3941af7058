// A filter of system calls (seccomp(2)), as programs set that confine themselves or the libraries in them.

#pragma once

#include <cstdint>
#include <optional>
#include <vector>

namespace dolmen::test {

enum class Compared { kEqual, kOther, kAtLeast };

// A system call, or those of its calls whose argument compares so with a value.
struct FilteredCall {
  long number = 0;
  int error = 0;     // an errno, with which the call fails; 0: the call kills the process
  int argument = 0;  // the argument that is compared, from 0
  std::optional<std::uint32_t> value = {};  // nothing: no argument is compared
  Compared compared = Compared::kEqual;
};

// Sets a filter for all threads of this process and its children. Returns false if the kernel has no filters.
bool FilterSystemCalls(const std::vector<FilteredCall>& calls);

// Makes each write of at least 150,000 bytes at once fail with EFBIG. Returns as FilterSystemCalls().
bool FailLargeWrites();

}  // namespace dolmen::test
