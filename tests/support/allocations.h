// Counts calls of operator new, to test that hot paths do not allocate, or makes them fail.
//
//   if (!kCountsAllocations) GTEST_SKIP() << "the sanitizers' operator new does not count";
//   const std::size_t before = AllocationCount();
//   condition.Evaluate(item);
//   EXPECT_EQ(AllocationCount() - before, 0U);

#pragma once

#include <cstddef>
#include <cstdint>

#include "tests/support/sanitizer.h"

#if defined(DOLMEN_TEST_ADDRESS_SANITIZER) || defined(DOLMEN_TEST_THREAD_SANITIZER)
#define DOLMEN_TEST_SANITIZED
#endif

namespace dolmen::test {

// Sanitizers replace operator new themselves, so a build with a sanitizer does not count
// allocations.
#ifdef DOLMEN_TEST_SANITIZED
inline constexpr bool kCountsAllocations = false;
#else
inline constexpr bool kCountsAllocations = true;
#endif

// Returns the number of allocations of the calling thread so far. Returns 0 if kCountsAllocations
// is false.
std::size_t AllocationCount();

// Makes the allocation after `count` further allocations, of any thread, throw std::bad_alloc. Has no
// effect if kCountsAllocations is false.
void FailAllocationAfter(std::int64_t count);

// Returns how many of the `count` allocations of FailAllocationAfter are left; less than 0 if the
// failure has happened.
std::int64_t AllocationsUntilFailure();

}  // namespace dolmen::test
