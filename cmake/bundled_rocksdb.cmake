# Builds RocksDB from its sources as a part of Dolmen, with LZ4 and without its other compressions, its tools and
# gflags. The library is dolmen::rocksdb, libdolmen_rocksdb.a, so that it cannot be taken for an installed RocksDB.
#
# Usage: dolmen_bundle_rocksdb(<directory, archive or URL of RocksDB's sources>)
include(FetchContent)
function(dolmen_bundle_rocksdb sources)
  if(IS_DIRECTORY "${sources}")
    set(directory ${sources})
  else()
    FetchContent_Declare(dolmen_rocksdb_sources URL ${sources} SOURCE_SUBDIR none)
    FetchContent_MakeAvailable(dolmen_rocksdb_sources)
    set(directory ${dolmen_rocksdb_sources_SOURCE_DIR})
  endif()
  if(EXISTS ${directory}/rocksdb/CMakeLists.txt)  # an archive with RocksDB in a folder
    set(directory ${directory}/rocksdb)
  endif()

  # RocksDB's CMakeLists.txt asks for these options. The variables of this function are not seen outside of it.
  # Without the second policy RocksDB's set(... CACHE) would remove them in the first configuration of a build.
  set(CMAKE_POLICY_DEFAULT_CMP0077 NEW)
  set(CMAKE_POLICY_DEFAULT_CMP0126 NEW)
  foreach(option WITH_GFLAGS WITH_SNAPPY WITH_LZ4 WITH_ZLIB WITH_ZSTD WITH_BZ2 WITH_LIBURING WITH_TESTS WITH_ALL_TESTS
                 WITH_TOOLS WITH_CORE_TOOLS WITH_BENCHMARK_TOOLS WITH_TRACE_TOOLS WITH_BENCHMARK
                 ROCKSDB_BUILD_SHARED FAIL_ON_WARNINGS)
    set(${option} OFF)
  endforeach()
  set(PORTABLE 1)  # for any processor of the architecture
  set(USE_RTTI 1)  # classes of Dolmen derive from RocksDB's
  set(BUILD_DATE 0)  # two builds of the same sources are equal
  # A sanitizer of Dolmen's own code does not need an instrumented RocksDB, and tests would take much longer.
  string(REGEX REPLACE "-fno-sanitize[^ ]*|-fsanitize[^ ]*|-fno-omit-frame-pointer" "" CMAKE_CXX_FLAGS "${CMAKE_CXX_FLAGS}")
  string(STRIP "${CMAKE_CXX_FLAGS}" CMAKE_CXX_FLAGS)
  set(CMAKE_BUILD_TYPE Release)
  set(CMAKE_COMPILE_WARNING_AS_ERROR OFF)
  set(CMAKE_EXPORT_COMPILE_COMMANDS OFF)
  set(CMAKE_POSITION_INDEPENDENT_CODE ON)
  # RocksDB's own files can be compiled together. This takes less than half of the time.
  set(CMAKE_UNITY_BUILD ON)
  set(CMAKE_UNITY_BUILD_BATCH_SIZE 16)
  add_subdirectory(${directory} rocksdb EXCLUDE_FROM_ALL SYSTEM)

  target_compile_definitions(rocksdb PRIVATE LZ4)
  # Warnings of its sources are not ours to mend. With -O2 in place of -O3, and a section for each function, from which the
  # linker takes those that are used, libdolmen_c.so has 11 MB in place of 15.
  target_compile_options(rocksdb PRIVATE -w -O2 -ffunction-sections -fdata-sections)
  target_link_libraries(rocksdb PRIVATE PkgConfig::lz4)
  set_target_properties(rocksdb PROPERTIES OUTPUT_NAME dolmen_rocksdb)
  add_library(dolmen::rocksdb ALIAS rocksdb)
endfunction()
