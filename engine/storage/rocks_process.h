// RocksDB has threads, locks and static objects for all databases of a process. A child of fork(2) has these objects,
// but not the threads.

#pragma once

#include "dolmen/result.h"

namespace dolmen::engine {

// Checks that this process may open a database.
// - kStorage: the process is a child of fork(2), and an ancestor has called this function.
Status CheckMayOpen();

// Lets the children that fork(2) creates from now on end by exit(3). The destructors of RocksDB's static objects would
// wait there for threads that do not exist. So exit(3) runs only the functions that were registered after the first
// call of this function, flushes stdout, std::cout and other streams, and ends the child. Does not change the end of
// this process. Call it whenever RocksDB may have constructed static objects.
void LetForkedChildrenEnd();

}  // namespace dolmen::engine
