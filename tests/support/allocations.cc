#include "tests/support/allocations.h"

#include <atomic>
#include <cstdlib>
#include <limits>
#include <new>

namespace dolmen::test {
namespace {

thread_local std::size_t allocation_count = 0;
std::atomic<std::int64_t> allocations_left = std::numeric_limits<std::int64_t>::max();

}  // namespace

std::size_t AllocationCount() { return allocation_count; }

void FailAllocationAfter(std::int64_t count) { allocations_left = count; }

std::int64_t AllocationsUntilFailure() { return allocations_left; }

#ifndef DOLMEN_TEST_SANITIZED
void* CountAndAllocate(std::size_t size) {
  ++allocation_count;
  if (allocations_left.fetch_sub(1, std::memory_order_relaxed) == 0) throw std::bad_alloc();
  void* const memory = std::malloc(size == 0 ? 1 : size);
  if (memory == nullptr) std::abort();  // a test that runs out of memory has failed anyway
  return memory;
}
#endif

}  // namespace dolmen::test

// All other forms of new and delete call these functions, except the forms for over-aligned types.
// The engine has no over-aligned type.
#ifndef DOLMEN_TEST_SANITIZED
void* operator new(std::size_t size) { return dolmen::test::CountAndAllocate(size); }
void operator delete(void* memory) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }
#endif
