// A limit on a resource that all connections share: descriptors or memory.

#pragma once

#include <atomic>
#include <cstddef>

namespace dolmen::server {

// An amount, for example of bytes, of which callers reserve parts. Thread-safe.
class Budget {
 public:
  explicit Budget(std::size_t max) : max_(max) {}

  // Reserves `amount`. Returns false and reserves nothing if less is left.
  bool Take(std::size_t amount);
  // Releases an amount that Take has reserved.
  void Release(std::size_t amount);
  std::size_t max() const { return max_; }

 private:
  const std::size_t max_;
  std::atomic<std::size_t> taken_{0};
};

// A reservation that is released on destruction. One thread at a time may use it.
class Share {
 public:
  // REQUIRES: `budget` outlives this object.
  explicit Share(Budget* budget) : budget_(budget) {}
  ~Share() { Resize(0); }
  Share(Share&& other) noexcept;
  Share& operator=(Share&&) = delete;

  // Changes the reservation to `amount`. Returns false and changes nothing if the budget is
  // exhausted.
  bool Resize(std::size_t amount);

 private:
  Budget* budget_;
  std::size_t amount_ = 0;
};

}  // namespace dolmen::server
