// A mark for borrowed results.  DOLMEN_LIFETIME_BOUND stands behind a method that returns a view
// into its object, or behind a constructor's argument that the new object keeps a view of.
//
// Clang warns (-Wdangling) where the view outlives a temporary owner.  Other compilers ignore the
// mark.  Methods on a temporary that would return a dangling view are deleted in addition, so that
// every compiler rejects them.

#pragma once

#if defined(__clang__)
#define DOLMEN_LIFETIME_BOUND [[clang::lifetimebound]]
#else
#define DOLMEN_LIFETIME_BOUND
#endif
