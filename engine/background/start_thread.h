// Threads in the background: how they start, without exceptions, and how long they wait.

#pragma once

#include <algorithm>
#include <chrono>
#include <functional>
#include <string>
#include <system_error>
#include <thread>
#include <utility>

#include "dolmen/status.h"

namespace dolmen::engine {

// kStorage: the system has no thread left.  `purpose`: "to fill indexes".
inline Status StartThread(const char* purpose, std::function<void()> work, std::thread* thread) {
  try {
    *thread = std::thread(std::move(work));
  } catch (const std::system_error& error) {
    return Status::Storage(
        std::string("can't start a thread ").append(purpose).append(": ").append(error.what()));
  }
  return {};
}

// What callers may ask for as the time between two attempts: not so short that a thread does
// nothing else, nor so long that a clock overflows.
inline std::chrono::milliseconds WaitOf(std::chrono::milliseconds asked) {
  constexpr std::chrono::milliseconds kMin(1);
  constexpr std::chrono::milliseconds kMax = std::chrono::days(365);
  return std::clamp(asked, kMin, kMax);
}

}  // namespace dolmen::engine
