// Helpers for threads: functions that start a thread and report errors as a Status, and a function
// that limits waiting times.

#pragma once

#include <algorithm>
#include <chrono>
#include <functional>
#include <string>
#include <system_error>
#include <thread>
#include <utility>

#include "dolmen/result.h"

namespace dolmen::engine {

// Calls `start`, which may start threads by std::thread. The error's message contains `purpose`, for
// example "to backfill indexes".
// - kStorage: the system cannot create a thread.
template <typename Start>
Status StartThreads(const char* purpose, const Start& start) {
  try {
    start();
  } catch (const std::system_error& error) {
    return Status::Storage(std::string("can't start a thread ")
                               .append(purpose)
                               .append(": ")
                               .append(error.what())
                               .append(" (a limit of threads or of memory: see ulimit -u and the "
                                       "pids limit of the container)"));
  }
  return {};
}

// Runs `work` in a new thread, `*thread`. The errors are those of StartThreads.
inline Status StartThread(const char* purpose, std::function<void()> work, std::thread* thread) {
  return StartThreads(purpose, [&] { *thread = std::thread(std::move(work)); });
}

// Returns `wanted`, limited to the range from 1 ms to 365 days. A shorter wait would keep a thread
// busy. A much longer wait would overflow the clock.
inline std::chrono::milliseconds ClampWait(std::chrono::milliseconds wanted) {
  constexpr std::chrono::milliseconds kMin(1);
  constexpr std::chrono::milliseconds kMax = std::chrono::days(365);
  return std::clamp(wanted, kMin, kMax);
}

}  // namespace dolmen::engine
