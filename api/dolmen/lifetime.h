// An annotation for borrowed results. DOLMEN_LIFETIME_BOUND after a method says that the method
// returns a view into its object. After a parameter of a constructor it says that the new object
// keeps a view of the argument.
//
// Clang warns (-Wdangling) if the view outlives a temporary owner. Other compilers ignore the
// annotation. In addition, a method that would return a dangling view is deleted for temporaries,
// so every compiler rejects the call.

#pragma once

#if defined(__clang__)
#define DOLMEN_LIFETIME_BOUND [[clang::lifetimebound]]
#else
#define DOLMEN_LIFETIME_BOUND
#endif
