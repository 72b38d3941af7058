// Work that several threads share.

#pragma once

#include <cstddef>
#include <functional>

#include "dolmen/result.h"

namespace dolmen::command {

// Calls `work` with 0 to `count` - 1, each call on a thread of its own, and waits for all of them. If
// the system has no thread left, the calling thread makes the call. Returns the error of the call with
// the least number, or success.
Status OnThreads(std::size_t count, const std::function<Status(std::size_t)>& work);

}  // namespace dolmen::command
