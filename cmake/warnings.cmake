# These options apply to every target of Dolmen. They do not apply to the targets of a project that
# adds Dolmen with add_subdirectory().
add_compile_options(-Wall -Wextra -Wpedantic -Wshadow -Wconversion)
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  if(CMAKE_CXX_COMPILER_VERSION VERSION_LESS 13)
    # GCC bug 105651: for the expression "x" + std::string, GCC warns at -O3 about code of the
    # standard library.
    add_compile_options(-Wno-restrict)
    # GCC warns falsely about copies in Boost's small_vector, because GCC does not know the size of
    # a copy at compile time.
    add_compile_options(-Wno-stringop-overread)
    # GCC bug 105562: if a function argument is a struct that holds strings, GCC believes that the
    # strings are destroyed before they are initialized.
    add_compile_options(-Wno-maybe-uninitialized)
  endif()
else()
  # Clang's -Wconversion also reports conversions that change the sign; GCC's does not. With
  # -Wno-sign-conversion both compilers check the same rules.
  add_compile_options(-Wno-sign-conversion)
  # Checks the lock annotations of engine/base/mutex.h.
  add_compile_options(-Wthread-safety)
  if(CMAKE_CXX_COMPILER_VERSION VERSION_GREATER_EQUAL 22)
    # Clang 22 warns of __COUNTER__, which GCC and Clang have had for 20 years.
    add_compile_options(-Wno-c2y-extensions)
  endif()
endif()
