// The load of the soak: reads and sends by several threads until the load is destroyed.

#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <thread>
#include <vector>

#include "bench/data.h"
#include "bench/dolmen_store.h"
#include "dolmen/status.h"

namespace dolmen::bench {

inline constexpr std::size_t kLoadingThreads = 2;

// A load that starts in the constructor.  95 % of the operations read 50 messages of a random
// conversation, newest first, from a random message on, so reads cover all of the data.  5 % send a
// message.
class MixedLoad {
 public:
  // REQUIRES: `data` and `store` outlive the load
  MixedLoad(const ChatData& data, const DolmenStore& store);
  ~MixedLoad();  // stops the threads and waits for them
  MixedLoad(const MixedLoad&) = delete;
  MixedLoad& operator=(const MixedLoad&) = delete;

  // Returns the number of operations that are done.
  std::uint64_t operations() const { return operations_; }

  // Returns the error of the first operation that failed.  Its thread has stopped.
  Status status() const;

 private:
  void Run(std::uint64_t seed);
  Status RunUntilStopped(std::uint64_t seed);

  const ChatData& data_;
  const DolmenStore& store_;
  std::atomic<bool> stopping_ = false;
  std::atomic<std::uint64_t> operations_ = 0;
  mutable std::mutex mutex_;  // guards status_
  Status status_;
  std::array<std::thread, kLoadingThreads> threads_;
};

}  // namespace dolmen::bench
