// What all connections have together, and no more: descriptors, memory.

#pragma once

#include <atomic>
#include <cstddef>

namespace dolmen::server {

// Every method may be called from any thread.
class Budget {
 public:
  explicit Budget(std::size_t max) : max_(max) {}

  // False, and nothing is taken, if there is not so much left.
  bool Take(std::size_t amount);
  void GiveBack(std::size_t amount);

 private:
  const std::size_t max_;
  std::atomic<std::size_t> taken_{0};
};

// What one has taken of a budget, until it is destroyed.  For one thread at a time.
class Share {
 public:
  // REQUIRES: `budget` outlives it.
  explicit Share(Budget* budget) : budget_(budget) {}
  ~Share() { budget_->GiveBack(amount_); }
  Share(Share&& other) noexcept;
  Share& operator=(Share&&) = delete;

  // Takes or gives back what is between this and what it has.  False, and it has what it had, if
  // there is not so much left.
  bool Resize(std::size_t amount);

 private:
  Budget* budget_;
  std::size_t amount_ = 0;
};

}  // namespace dolmen::server
