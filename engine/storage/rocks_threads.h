// The threads that RocksDB starts.

#pragma once

#include "dolmen/result.h"

namespace dolmen::engine {

// Makes RocksDB start the threads of its background jobs, which all databases of the process share. RocksDB would start
// them while it opens a database, and does not handle the exception of a thread that cannot be started.
// - kStorage: the system cannot create a thread.
Status StartRocksThreads();

// Checks that the system also has a thread for RocksDB's timer. A database on the disk whose opening fails for the lack of it
// stays locked until the process ends (OpenRocks).
// - kStorage: the system cannot create a thread.
Status CheckThreadForTimer();

}  // namespace dolmen::engine
