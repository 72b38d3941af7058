// The files of an open store, as an independent copy.

#pragma once

#include <rocksdb/db.h>
#include <rocksdb/file_system.h>

#include <cstdint>
#include <string>

#include "dolmen/result.h"

namespace dolmen::engine {

// The way in which CopyLiveFiles makes its copy.
struct LiveFilesOptions {
  // True: both directories are in the same file system, or in file systems that read the same disk
  // with the same key. Table files, which never change, then get a second name instead of a copy.
  // CopyLiveFiles copies them if the disk allows no second name, for example on another volume.
  bool can_link = false;
  // The logs' size in bytes from which on the memtables are flushed instead of copying the logs. 0:
  // they are always flushed, for a store without logs.
  std::uint64_t flush_from_log_bytes = 0;
};

// Creates the files of a database in the empty directory `to` of `target`. The database has the
// state that `db` had at one moment during the call: it has every write that was acknowledged
// before the call. Other threads may read and write meanwhile. The files are on the disk when the
// function returns. After an error the directory holds some of the files.
// - kStorage, kCorruption: a file cannot be read or written.
Status CopyLiveFiles(rocksdb::DB* db, const LiveFilesOptions& options, rocksdb::FileSystem* target,
                     const std::string& to);

}  // namespace dolmen::engine
