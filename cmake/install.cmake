# Installs the library, its headers, and the files with which CMake and pkg-config find it. Installs
# dolmen::wire and the dolmen command if they are built, so that a build of the target dolmen is
# sufficient for `cmake --install`.
include(CMakePackageConfigHelpers)
set(dolmen_package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/dolmen)

install(TARGETS dolmen EXPORT dolmenTargets FILE_SET HEADERS)
set(dolmen_rocksdb_module "rocksdb >= 7.8, ")
set(dolmen_rocksdb_library)
if(DOLMEN_BUNDLED_ROCKSDB)
  install(TARGETS rocksdb EXPORT dolmenTargets ARCHIVE COMPONENT Unspecified)
  set(dolmen_rocksdb_module)
  set(dolmen_rocksdb_library " -ldolmen_rocksdb")
endif()
install(EXPORT dolmenTargets NAMESPACE dolmen:: DESTINATION ${dolmen_package_dir})
if(DOLMEN_BUILD_SERVER)
  # dolmenConfig.cmake reads these targets only if the library is installed.
  install(TARGETS dolmen_wire EXPORT dolmenWireTargets OPTIONAL)
  install(EXPORT dolmenWireTargets NAMESPACE dolmen:: DESTINATION ${dolmen_package_dir})
  if(TARGET dolmen_remote)
    install(TARGETS dolmen_remote EXPORT dolmenRemoteTargets OPTIONAL)
    install(EXPORT dolmenRemoteTargets NAMESPACE dolmen:: DESTINATION ${dolmen_package_dir})
  endif()
  install(TARGETS dolmen_command OPTIONAL)
endif()

get_target_property(dolmen_library_type dolmen TYPE)
if(dolmen_library_type STREQUAL "SHARED_LIBRARY")
  set(dolmen_is_shared ON)
  set(dolmen_rocksdb_library)
  set(dolmen_requires "Requires.private")
else()
  set(dolmen_is_shared OFF)
  set(dolmen_requires "Requires")
endif()
set(dolmen_wire_library ${CMAKE_${dolmen_library_type}_PREFIX}dolmen_wire${CMAKE_${dolmen_library_type}_SUFFIX})
string(REPLACE dolmen_wire dolmen_remote dolmen_remote_library ${dolmen_wire_library})

configure_package_config_file(cmake/dolmenConfig.cmake.in dolmenConfig.cmake
                              INSTALL_DESTINATION ${dolmen_package_dir}
                              PATH_VARS CMAKE_INSTALL_LIBDIR)
# Before 1.0 a minor release may break callers, so only patch releases are compatible.
write_basic_package_version_file(dolmenConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES cmake/dependencies.cmake
              ${PROJECT_BINARY_DIR}/dolmenConfig.cmake
              ${PROJECT_BINARY_DIR}/dolmenConfigVersion.cmake
        DESTINATION ${dolmen_package_dir})

# The path from dolmen.pc to the prefix. A relative path lets users move the installed files.
set(dolmen_pkgconfig_dir ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
file(RELATIVE_PATH dolmen_prefix /${dolmen_pkgconfig_dir} /)
configure_file(cmake/dolmen.pc.in dolmen.pc @ONLY)
install(FILES ${PROJECT_BINARY_DIR}/dolmen.pc DESTINATION ${dolmen_pkgconfig_dir})
