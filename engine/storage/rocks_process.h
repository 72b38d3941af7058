// RocksDB has threads, locks and static objects for all databases of a process. A child of fork(2) has these objects,
// but not the threads.

#pragma once

#include "dolmen/result.h"

namespace dolmen::engine {

// Checks that this process may open a database.
// - kStorage: the process is a child of fork(2), and an ancestor has called this function.
Status CheckMayOpen();

// Note, in their first calls, that RocksDB has constructed static objects, which exit(3) will destroy. Call
// NoteObjectsOfThreads before RocksDB starts a thread, and NoteStaticObjects after each attempt to open a database.
//
// In the children that fork(2) creates from now on, their destructors would wait for threads that do not exist. There
// exit(3) runs only the functions that were registered after the first call of this function, flushes stdout, std::cout
// and other streams, and ends the child. The end of this process does not change.
void NoteObjectsOfThreads();
void NoteStaticObjects();

// Makes exit(3) end this process as it ends those children, because a static object of RocksDB is broken: its destructor
// would abort the process.
void LeaveStaticObjects();

// Returns false once exit(3) has begun to destroy static objects of RocksDB. Older versions of RocksDB abort the process
// if a database is closed then.
bool HasStaticObjects();

}  // namespace dolmen::engine
