// Counts calls of operator new, to test that hot paths do not allocate.
//
//   if (!kCountsAllocations) GTEST_SKIP() << "the sanitizers' operator new does not count";
//   const std::size_t before = AllocationCount();
//   condition.Evaluate(item);
//   EXPECT_EQ(AllocationCount() - before, 0U);

#pragma once

#include <cstddef>

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

}  // namespace dolmen::test
