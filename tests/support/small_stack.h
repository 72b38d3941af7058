// Measurement of the stack that a call uses on the thread of its caller.

#pragma once

#include <cstddef>
#include <functional>

namespace dolmen::test {

// The smallest stack that a thread of a host may have (README.md), and the part of it that a call may use: the
// system takes a page of it to guard the end.
inline constexpr std::size_t kSmallestStackBytes = 64 * 1024;
inline constexpr std::size_t kUsableStackBytes = kSmallestStackBytes - 4096;

// False: this build is not optimized or has a sanitizer, so the frames are larger than in the library that users
// get, and the bound does not hold.
#ifdef DOLMEN_TEST_OPTIMIZED
inline constexpr bool kHasFramesOfUsers = true;
#else
inline constexpr bool kHasFramesOfUsers = false;
#endif

// Calls `run` on a thread of its own with a large stack. Returns the bytes of the stack that were used, with those
// that the C library needs for each thread.
std::size_t StackBytesOf(const std::function<void()>& run);

}  // namespace dolmen::test
