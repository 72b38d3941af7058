#include "server/budget.h"

#include <utility>

namespace dolmen::server {

bool Budget::Take(std::size_t amount) {
  std::size_t taken = taken_.load(std::memory_order_relaxed);
  do {
    if (amount > max_ - taken) return false;
  } while (!taken_.compare_exchange_weak(taken, taken + amount, std::memory_order_relaxed));
  return true;
}

void Budget::Release(std::size_t amount) { taken_.fetch_sub(amount, std::memory_order_relaxed); }

Share::Share(Share&& other) noexcept
    : budget_(other.budget_), amount_(std::exchange(other.amount_, 0)) {}

bool Share::Resize(std::size_t amount) {
  if (amount > amount_) {
    if (!budget_->Take(amount - amount_)) return false;
  } else if (amount < amount_) {
    budget_->Release(amount_ - amount);
  }
  amount_ = amount;
  return true;
}

}  // namespace dolmen::server
