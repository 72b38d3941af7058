// The threads that RocksDB starts.

#pragma once

#include "dolmen/result.h"

namespace dolmen::engine {

// Makes RocksDB start the threads of its background jobs, which all databases of the process share,
// and checks that the system has a thread for RocksDB's timer. RocksDB would start them while it
// opens a database. An error would then be an exception, which RocksDB does not handle.
// - kStorage: the system cannot create a thread.
Status StartRocksThreads();

}  // namespace dolmen::engine
