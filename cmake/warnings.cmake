# Directory options reach every target of this project and no target of a project that includes it.
add_compile_options(-Wall -Wextra -Wpedantic -Wshadow -Wconversion)
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  if(CMAKE_CXX_COMPILER_VERSION VERSION_LESS 13)
    # GCC bug 105651: "x" + std::string warns inside the standard library at -O3.
    add_compile_options(-Wno-restrict)
    # A false alarm about copies in Boost's small_vector, whose size is known only at run time.
    add_compile_options(-Wno-stringop-overread)
    # GCC bug 105562: GCC believes that the strings of a struct which is built as an argument are
    # destroyed before they are initialized.
    add_compile_options(-Wno-maybe-uninitialized)
  endif()
else()
  # GCC's -Wconversion does not include signedness.  Both compilers check the same rules.
  add_compile_options(-Wno-sign-conversion)
  # Checks the annotations of dolmen/internal/mutex.h.
  add_compile_options(-Wthread-safety)
endif()
if(DOLMEN_WERROR)
  add_compile_options(-Werror)
endif()
