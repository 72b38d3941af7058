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

// True in the preset asan, which also has UndefinedBehaviorSanitizer. The sanitizer checks
// addresses through a pipe. If the process has no free file descriptor, the sanitizer reports
// errors in valid memory.
#ifdef DOLMEN_TEST_ADDRESS_SANITIZER
inline constexpr bool kUnderAddressSanitizer = true;
#else
inline constexpr bool kUnderAddressSanitizer = false;
#endif

}  // namespace dolmen::test
