# Directory options, so that they reach every target of ours and nobody else's.
add_compile_options(-Wall -Wextra -Wpedantic -Wshadow -Wconversion)
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  if(CMAKE_CXX_COMPILER_VERSION VERSION_LESS 13)
    # GCC bug 105651: "x" + std::string warns inside the standard library at -O3.
    add_compile_options(-Wno-restrict)
    # Likewise for what Boost's small_vector copies, of which it knows the size only at run time.
    add_compile_options(-Wno-stringop-overread)
    # GCC bug 105562: strings of a struct that is built in place of an argument are thought
    # destroyed before they were made.
    add_compile_options(-Wno-maybe-uninitialized)
  endif()
else()
  # GCC does not count signedness into -Wconversion; code must be clean or not with both compilers alike.
  add_compile_options(-Wno-sign-conversion)
  # Checks the annotations of engine/mutex.h.
  add_compile_options(-Wthread-safety)
endif()
if(DOLMEN_WERROR)
  add_compile_options(-Werror)
endif()
