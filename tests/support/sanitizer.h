// Whether a test runs under a sanitizer, whose own work would get into its way.

#pragma once

namespace dolmen::test {

// Without a descriptor left AddressSanitizer and UndefinedBehaviorSanitizer take good memory for
// bad: they look at it through a pipe.
#if defined(__SANITIZE_ADDRESS__)
inline constexpr bool kSanitizerNeedsDescriptors = true;
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
inline constexpr bool kSanitizerNeedsDescriptors = true;
#else
inline constexpr bool kSanitizerNeedsDescriptors = false;
#endif
#else
inline constexpr bool kSanitizerNeedsDescriptors = false;
#endif

}  // namespace dolmen::test
