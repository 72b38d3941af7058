// A filter of system calls (seccomp(2)), as programs set that confine themselves or the libraries in them.

#pragma once

#include <cstdint>
#include <optional>
#include <vector>

namespace dolmen::test {

enum class Compared { kEqual, kOther, kAtLeast };

// An "errno" of FilteredCall: the call does nothing, and succeeds.
inline constexpr int kDoesNothing = -1;

// A system call, or those of its calls whose argument compares so with a value.
struct FilteredCall {
  long number = 0;
  int error =
      0;  // an errno, with which the call fails, or kDoesNothing; 0: the call kills the process
  int argument = 0;                         // the argument that is compared, from 0
  std::optional<std::uint32_t> value = {};  // nothing: no argument is compared
  Compared compared = Compared::kEqual;
};

// Sets a filter for all threads of this process and its children. Returns false if the kernel has no filters.
bool FilterSystemCalls(const std::vector<FilteredCall>& calls);

// Returns the calls that wait for the disk, which then do nothing. For a process after which no power is cut: a test that
// syncs thousands of times takes longer than it may where a sync takes a tenth of a second.
std::vector<FilteredCall> Syncs();

// Makes each write of at least 150,000 bytes at once fail with EFBIG. Returns as FilterSystemCalls().
bool FailLargeWrites();

}  // namespace dolmen::test
