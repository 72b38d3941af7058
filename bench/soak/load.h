// What the soak does to a database: `mixed`, by several threads, until it is told to stop.

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

// 95 % of the operations read 50 messages of a random conversation, newest first, from a random
// message on, so that reads cover all of the data; 5 % send a message.  Starts when it is made.
class MixedLoad {
 public:
  // Both outlive it.
  MixedLoad(const ChatData& data, const DolmenStore& store);
  ~MixedLoad();  // stops
  MixedLoad(const MixedLoad&) = delete;
  MixedLoad& operator=(const MixedLoad&) = delete;

  // How many have been done so far.
  std::uint64_t operations() const { return operations_; }

  // The first that failed, if one has: then its thread has stopped.
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
