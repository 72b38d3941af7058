// Annotations for borrowed values, by which a compiler finds views that outlive their owner.
//
// DOLMEN_LIFETIME_BOUND after a method says that the method returns a view into its object. After a
// parameter of a constructor it says that the new object keeps a view of the argument.
// DOLMEN_VIEW marks a class whose objects borrow, DOLMEN_OWNER a class whose objects own what their
// views show.
//
// Clang warns (-Wdangling, -Wdangling-gsl) if a view outlives a temporary owner. GCC has no such
// annotations. Therefore the methods that return views of the items of a page or of a StoredItem
// are deleted for temporaries, so that every compiler rejects the call. Other methods that return
// references are not deleted.

#pragma once

#if defined(__clang__)
#define DOLMEN_LIFETIME_BOUND [[clang::lifetimebound]]
#define DOLMEN_VIEW [[gsl::Pointer]]
#define DOLMEN_OWNER [[gsl::Owner]]
#else
#define DOLMEN_LIFETIME_BOUND
#define DOLMEN_VIEW
#define DOLMEN_OWNER
#endif
