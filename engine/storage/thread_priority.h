// The priority of RocksDB's own threads, which flush memtables and compact table files.

#pragma once

#include <rocksdb/listener.h>

#include <memory>

namespace dolmen::engine {

// Returns a listener that makes RocksDB's threads give way, so that a flush delays fewer requests on a
// busy machine. On Linux such a thread adds 10 to its nice value, and asks for time slices of 0.1 ms. So it
// gets a tenth of a processor that another thread keeps busy.
//
// If flushes fall behind, writers wait for them. If only these writers keep the processors busy, the
// flushes then have the processors. If another program keeps all processors busy, a flush still gets
// a tenth of one, and the writers wait for it.
//
// The threads belong to RocksDB's default Env. So they also flush and compact all other databases of the
// process with this Env: those of Dolmen, and RocksDB databases that the program itself opens.
std::shared_ptr<rocksdb::EventListener> ThreadsThatGiveWay();

// Yields the processor, if the calling thread is one that gives way and has not yielded for 50 microseconds.
// If no other thread wakes up, Linux ends a time slice only at its next tick, with 250 ticks a second up to
// 4 ms late. So such a thread calls this often. Returns when it runs again.
void LetOthersRun();

}  // namespace dolmen::engine
