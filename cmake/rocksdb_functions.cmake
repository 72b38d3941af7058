# Checks that Dolmen knows each virtual function of RocksDB's classes of files. A function that Dolmen does not
# know might pass encrypted bytes to RocksDB, or the size of a file with its prefix, as GetFileSize of RocksDB 10.5
# would have done. So a RocksDB with a new function is refused until somebody has looked at the function.
#
# Usage: dolmen_check_rocksdb_functions(<RocksDB's file_system.h>), or as a script:
# cmake -D HEADER=<RocksDB's file_system.h> -P cmake/rocksdb_functions.cmake
cmake_minimum_required(VERSION 3.25)  # a script has no other line that selects CMake's policies

# What the classes in engine/storage/encryption/encrypted_files.cc do with a function:
# - encrypt or decrypt: Append MultiRead PositionedAppend Read
# - add or take away the prefix: Allocate GetChildrenFileAttributes GetFileSize InvalidateCache NewRandomAccessFile
#   NewSequentialFile NewWritableFile Prefetch PrepareWrite RangeSync ReopenWritableFile Skip Truncate
# - refuse: NewLogger NewMemoryMappedFileBuffer NewRandomRWFile ReuseWritableFile
# - inherit RocksDB's own form, which calls the functions above or does nothing: GetFileOpenMetadata PositionedRead
#   ReadAsync SubmitReadAsync use_direct_io, and those of buffers and priorities
# - pass to the encrypted file, because neither bytes nor sizes matter: the rest.
set(dolmen_known_functions
  AbortIO Allocate Append AreFilesSame Close CreateDir CreateDirIfMissing DeleteDir DeleteFile
  DiscardCacheForDirectory FileExists Flush Fsync GetAbsolutePath GetChildren GetChildrenFileAttributes
  GetFileModificationTime GetFileOpenMetadata GetFileSize GetFreeSpace GetIOPriority GetPreallocationStatus
  GetReadExecutor GetRequiredBufferAlignment GetTemperature GetTestDirectory GetUniqueId GetWriteLifeTimeHint Hint
  InvalidateCache IsDirectory IsSyncThreadSafe LinkFile LockFile MultiRead NewDirectory NewLogger
  NewMemoryMappedFileBuffer NewRandomAccessFile NewRandomRWFile NewSequentialFile NewWritableFile NumFileLinks
  OptimizeForBlobFileRead OptimizeForCompactionTableRead OptimizeForCompactionTableWrite OptimizeForLogRead
  OptimizeForLogWrite OptimizeForManifestRead OptimizeForManifestWrite Poll PositionedAppend PositionedRead Prefetch
  PrepareWrite RangeSync Read ReadAsync RegisterDbPaths RenameFile ReopenWritableFile ReuseWritableFile
  SanitizeFileOptions SetIOPriority SetPreallocationBlockSize SetReadIOExecutorThreads SetWriteLifeTimeHint Skip
  SubmitReadAsync SupportedOps Sync SyncFile Truncate UnlockFile UnregisterDbPaths use_direct_io)

function(dolmen_check_rocksdb_functions header)
  file(STRINGS ${header} lines)
  set(class)
  foreach(line IN LISTS lines)
    if(line MATCHES "^class ([A-Za-z]+)[^;]*$")
      set(class ${CMAKE_MATCH_1})
    elseif(class MATCHES "^(FSSequentialFile|FSRandomAccessFile|FSWritableFile|FileSystem)$"
           AND line MATCHES "^  virtual [^~]*$"
           AND NOT (line MATCHES "[ *&]([A-Za-z_]+)\\(" AND CMAKE_MATCH_1 IN_LIST dolmen_known_functions))
      message(FATAL_ERROR
        "RocksDB's class ${class} has a function that Dolmen does not know:\n${line}\nin ${header}\nUse a RocksDB "
        "of a version that README.md names, or decide in engine/storage/encryption/encrypted_files.cc what it does "
        "and add it to the list in cmake/rocksdb_functions.cmake.")
    endif()
  endforeach()
endfunction()

if(DEFINED HEADER)
  dolmen_check_rocksdb_functions(${HEADER})
endif()
