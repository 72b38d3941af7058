// The load of the soak: several threads read and send until the load object is destroyed.

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
#include "dolmen/result.h"

namespace dolmen::bench {

inline constexpr std::size_t kLoadingThreads = 2;

// A load, which starts in the constructor. 95 % of its operations read 50 messages of a random
// conversation, newest first, beginning with a random message. The reads therefore cover all data.
// 5 % of its operations send a message.
class MixedLoad {
 public:
  // REQUIRES: `data` and `store` outlive the load object
  MixedLoad(const ChatData& data, const DolmenStore& store);
  ~MixedLoad();  // stops the threads and waits for them
  MixedLoad(const MixedLoad&) = delete;
  MixedLoad& operator=(const MixedLoad&) = delete;

  // Returns the number of finished operations.
  std::uint64_t operations() const { return operations_; }

  // Returns the error of the first operation that failed, or success. The thread of a failed
  // operation stops.
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
