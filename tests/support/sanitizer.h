// Macros and constants that tell if a test runs under a sanitizer.

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

// True if the test runs under AddressSanitizer, as in the preset asan. The preset asan also enables
// UndefinedBehaviorSanitizer, which opens a pipe to check an address. If the process has no free
// file descriptor, UndefinedBehaviorSanitizer reports errors in valid memory.
#ifdef DOLMEN_TEST_ADDRESS_SANITIZER
inline constexpr bool kUnderAddressSanitizer = true;
#else
inline constexpr bool kUnderAddressSanitizer = false;
#endif

}  // namespace dolmen::test
