#include "tests/support/allocations.h"

#include <cstdlib>
#include <new>

namespace dolmen::test {
namespace {

thread_local std::size_t allocation_count = 0;

}  // namespace

std::size_t AllocationCount() { return allocation_count; }

#ifndef DOLMEN_TEST_SANITIZED
void* CountAndAllocate(std::size_t size) {
  ++allocation_count;
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
