# A floor is a folder whose sources use only the floors below it. The target dolmen_<name> compiles the
# sources. The test of tests/floors links each floor alone with the floors below it, so a call that goes
# up does not link.
#
# Usage: dolmen_floor(name folder library...)
set(dolmen_floor_objects)
function(dolmen_floor name folder)
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/${folder}/*.cc)
  add_library(dolmen_${name} OBJECT ${sources})
  target_compile_features(dolmen_${name} PUBLIC cxx_std_20)
  dolmen_compile_visibility(dolmen_${name})
  if(CMAKE_CXX_FLAGS MATCHES "-fsanitize")
    # Only the library is optimized under a sanitizer, because the tests spend most of their run time in it.
    # Without optimization, tests of deep nesting use up the stack, and the tests of `dolmen copy` take too long.
    target_compile_options(dolmen_${name} PRIVATE -O1)
  else()
    # GCC inlines less in a large unit. With 32 sources in each, a filtered query takes 8 % more instructions.
    set_target_properties(dolmen_${name} PROPERTIES UNITY_BUILD_BATCH_SIZE 8)
  endif()
  # Sources include "engine/...", and "database/..." or "entity/...", and the public <dolmen/...>.
  target_include_directories(dolmen_${name} PRIVATE
    ${PROJECT_SOURCE_DIR} ${PROJECT_SOURCE_DIR}/api ${PROJECT_SOURCE_DIR}/api/include)
  target_link_libraries(dolmen_${name} PRIVATE Threads::Threads ${ARGN})
  set(dolmen_floor_objects ${dolmen_floor_objects} $<TARGET_OBJECTS:dolmen_${name}> PARENT_SCOPE)
endfunction()
