// The environment that RocksDB gets: the files of a database, and threads for flushes and compactions.

#pragma once

#include <rocksdb/env.h>
#include <rocksdb/file_system.h>

#include <memory>

#include "dolmen/result.h"

namespace dolmen::engine {

// Returns an environment with `files`. All environments share the threads, which belong to Dolmen: a RocksDB that the
// program uses itself gets no thread, and lends none. The threads run until the process ends. A child of fork(2) does
// not wait for them when it ends, but RocksDB's own environment would.
// - kStorage: the system cannot create a thread.
Result<std::unique_ptr<rocksdb::Env>> NewRocksEnv(
    const std::shared_ptr<rocksdb::FileSystem>& files);

// Checks that this process may open a database. RocksDB has further threads and locks for all databases of a process,
// which a child of fork(2) does not have.
// - kStorage: the process is a child of fork(2), and an ancestor has called this function.
Status CheckMayOpen();

}  // namespace dolmen::engine
