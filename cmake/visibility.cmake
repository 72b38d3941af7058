# Makes a library position independent and hides all symbols except the API.
#
# A static library hides every symbol. A program or a plug-in that links the library then exports
# nothing of Dolmen. A shared library exports the symbols that the version script `map` names.
function(dolmen_visibility target map)
  dolmen_compile_visibility(${target})
  get_target_property(type ${target} TYPE)
  if(type STREQUAL "SHARED_LIBRARY" AND NOT APPLE)
    target_link_options(${target} PRIVATE LINKER:--version-script=${map})
    set_property(TARGET ${target} APPEND PROPERTY LINK_DEPENDS ${map})
  endif()
endfunction()

# Sets the options with which the sources of such a library are compiled.
function(dolmen_compile_visibility target)
  set_target_properties(${target} PROPERTIES POSITION_INDEPENDENT_CODE ON VISIBILITY_INLINES_HIDDEN ON)
  # Lets GCC inline exported functions. By default a program could replace them.
  target_compile_options(${target} PRIVATE -fno-semantic-interposition)
  if(NOT BUILD_SHARED_LIBS)
    set_target_properties(${target} PROPERTIES CXX_VISIBILITY_PRESET hidden)
  endif()
endfunction()
