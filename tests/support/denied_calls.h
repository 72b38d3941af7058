// System calls that the kernel answers with an error, as a sandbox or a file system without them does.

#pragma once

#include <cstdint>
#include <vector>

namespace dolmen::test {

// A system call, and the error that the kernel answers.
struct DeniedCall {
  long number = 0;              // SYS_fsync, for example
  int error = 0;                // an errno
  int second = -1;              // only calls with this second argument; -1: all
  std::uint32_t third_min = 0;  // only calls whose third argument is at least this
};

// Makes the kernel answer the calls of this process so, until it ends. REQUIRES: the process has one
// thread. Returns false if the kernel has no such filters.
bool DenyCalls(const std::vector<DeniedCall>& calls);

}  // namespace dolmen::test
