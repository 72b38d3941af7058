// Helpers for threads that start together.

#pragma once

#include <cstddef>
#include <latch>
#include <thread>
#include <vector>

namespace dolmen::test {

// The number of threads. It exceeds the number of cores of a small machine, so that threads are
// interrupted anywhere.
inline constexpr std::size_t kThreads = 8;

// Runs work(0) ... work(count - 1) concurrently and returns when all have ended.
template <typename Work>
void RunTogether(std::size_t count, Work work) {
  std::latch start(static_cast<std::ptrdiff_t>(count));
  std::vector<std::jthread> threads;
  for (std::size_t i = 0; i < count; ++i) {
    threads.emplace_back([&start, &work, i] {
      start.arrive_and_wait();
      work(i);
    });
  }
}

}  // namespace dolmen::test
