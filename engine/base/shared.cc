#include "dolmen/internal/shared.h"

#include <atomic>

namespace dolmen::internal {

void AddOwner(SharedCount* count) noexcept {
  std::atomic_ref(count->owners).fetch_add(1, std::memory_order_relaxed);
}

void RemoveOwner(SharedCount* count) noexcept {
  // The order is acq_rel, so that the last owner sees everything that the other owners have done
  // with the object before it destroys the object.
  if (std::atomic_ref(count->owners).fetch_sub(1, std::memory_order_acq_rel) == 1) {
    count->destroy(count);
  }
}

bool HasOneOwner(const SharedCount* count) noexcept {
  // Casts the const away, because std::atomic_ref of C++20 does not take a const object.
  auto& owners = const_cast<std::uint32_t&>(count->owners);
  return std::atomic_ref(owners).load(std::memory_order_acquire) == 1;
}

}  // namespace dolmen::internal
