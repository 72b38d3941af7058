# The options of a directory apply to every target of this project. They apply to no target of a
# project that adds this project.
add_compile_options(-Wall -Wextra -Wpedantic -Wshadow -Wconversion)
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  if(CMAKE_CXX_COMPILER_VERSION VERSION_LESS 13)
    # GCC bug 105651: "x" + std::string warns inside the standard library at -O3.
    add_compile_options(-Wno-restrict)
    # GCC reports a false alarm about copies in Boost's small_vector, because it does not know their
    # size at compile time.
    add_compile_options(-Wno-stringop-overread)
    # GCC bug 105562: if a function argument is a struct that holds strings, GCC believes that the
    # strings are destroyed before they are initialized.
    add_compile_options(-Wno-maybe-uninitialized)
  endif()
else()
  # Clang's -Wconversion includes conversions of the sign; GCC's does not. With this option both
  # compilers check the same rules.
  add_compile_options(-Wno-sign-conversion)
  # Checks the lock annotations of dolmen/internal/mutex.h.
  add_compile_options(-Wthread-safety)
endif()
if(DOLMEN_WERROR)
  add_compile_options(-Werror)
endif()
