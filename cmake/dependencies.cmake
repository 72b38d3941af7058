# Finds the libraries that a static dolmen needs. CMakeLists.txt and dolmenConfig.cmake include this
# file after they have found PkgConfig.
#
# With DOLMEN_LINK_ARCHIVES=ON the programs of a project contain RocksDB and these libraries. They
# start in a third of the time, because the dynamic linker looks up no symbol of librocksdb.so.
# Programs can contain Debian's archive of RocksDB. Shared libraries cannot, because the archive is
# not position independent.
if(DOLMEN_LINK_ARCHIVES)
  set(dolmen_library_suffixes ${CMAKE_FIND_LIBRARY_SUFFIXES})
  set(CMAKE_FIND_LIBRARY_SUFFIXES .a)
endif()
pkg_check_modules(xxhash REQUIRED IMPORTED_TARGET libxxhash>=0.8)
# Excludes Nettle 4, which changed the signatures of functions that Dolmen uses.
pkg_check_modules(nettle REQUIRED IMPORTED_TARGET nettle>=3 nettle<4)
pkg_check_modules(lz4 REQUIRED IMPORTED_TARGET liblz4)
# With DOLMEN_BUNDLED_ROCKSDB, dolmen::rocksdb is built with Dolmen, or installed with it.
if(NOT DOLMEN_BUNDLED_ROCKSDB)
  # Finds RocksDB with pkg-config, because RocksDB's pkg-config file names only the shared library.
  # RocksDB's CMake package would select the static archive and require the -dev packages of all
  # libraries that RocksDB was linked with.
  pkg_check_modules(rocksdb REQUIRED IMPORTED_TARGET rocksdb>=7.8 rocksdb<12)
  if(NOT TARGET dolmen::rocksdb)
    add_library(dolmen::rocksdb ALIAS PkgConfig::rocksdb)
  endif()
endif()
if(DOLMEN_LINK_ARCHIVES AND NOT DOLMEN_BUNDLED_ROCKSDB)
  # The libraries that RocksDB of Debian and Ubuntu needs. The package librocksdb-dev depends on them.
  foreach(library gflags snappy z bz2 lz4 zstd)
    find_library(DOLMEN_ARCHIVE_${library} ${library} REQUIRED)
    mark_as_advanced(DOLMEN_ARCHIVE_${library})
    target_link_libraries(PkgConfig::rocksdb INTERFACE ${DOLMEN_ARCHIVE_${library}})
  endforeach()
  target_link_options(PkgConfig::rocksdb INTERFACE -no-pie)
endif()
if(DOLMEN_LINK_ARCHIVES)
  set(CMAKE_FIND_LIBRARY_SUFFIXES ${dolmen_library_suffixes})
endif()
