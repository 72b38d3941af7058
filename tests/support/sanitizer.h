// Whether a test runs under a sanitizer, whose own work would get into its way.

#pragma once

#if defined(__has_feature)
#if __has_feature(address_sanitizer)
#define DOLMEN_TEST_ADDRESS_SANITIZER
#endif
#if __has_feature(thread_sanitizer)
#define DOLMEN_TEST_THREAD_SANITIZER
#endif
#endif
#if defined(__SANITIZE_ADDRESS__)
#define DOLMEN_TEST_ADDRESS_SANITIZER
#endif
#if defined(__SANITIZE_THREAD__)
#define DOLMEN_TEST_THREAD_SANITIZER
#endif

namespace dolmen::test {

// The preset asan, which has UndefinedBehaviorSanitizer, too.  Without a descriptor left it takes
// good memory for bad, as it looks at it through a pipe.
#ifdef DOLMEN_TEST_ADDRESS_SANITIZER
inline constexpr bool kUnderAddressSanitizer = true;
#else
inline constexpr bool kUnderAddressSanitizer = false;
#endif

}  // namespace dolmen::test
