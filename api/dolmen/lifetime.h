// DOLMEN_LIFETIME_BOUND marks a returned view, or a constructor's argument, that must not outlive
// the object it came from.  Clang checks it (-Wdangling); other compilers read past it.

#pragma once

#if defined(__clang__)
#define DOLMEN_LIFETIME_BOUND [[clang::lifetimebound]]
#else
#define DOLMEN_LIFETIME_BOUND
#endif
