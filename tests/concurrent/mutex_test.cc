#include "engine/base/mutex.h"

#include <gtest/gtest.h>

#include <atomic>
#include <thread>

#include "tests/concurrent/threads.h"

namespace dolmen::test {
namespace {

// Each reader keeps the mutex until another one has it too, or until no other one comes although it got time to.
TEST(SharedMutexTest, AWriterGetsInAmongReadersThatOverlap) {
  constexpr int kReadsMax = 10'000'000;  // far more than the time of a waiting writer needs
  SharedMutex mutex;
  std::atomic<int> reads = 0;
  std::atomic<bool> written = false;
  RunTogether(kThreads, [&](std::size_t thread) {
    if (thread == 0) {
      while (reads < static_cast<int>(kThreads)) std::this_thread::yield();
      const WriterLock lock(mutex);
      written = true;
      return;
    }
    while (!written && reads < kReadsMax) {
      const ReaderLock lock(mutex);
      const int read = ++reads;
      for (int turn = 0; turn < 1'000 && reads == read; ++turn) std::this_thread::yield();
    }
  });
  EXPECT_LT(reads, kReadsMax);
}

}  // namespace
}  // namespace dolmen::test
