// The priority of RocksDB's own threads, which flush memtables and compact table files.

#pragma once

#include <rocksdb/listener.h>
#include <rocksdb/rate_limiter.h>

#include <memory>

namespace dolmen::engine {

// Returns a listener that makes RocksDB's threads give way, so that a flush delays fewer requests on a
// busy machine. Such a thread adds 15 to its nice value, and takes turns of a tenth of a millisecond. So
// it gets 3 % of a processor that another thread keeps busy. Does nothing on systems other than Linux.
//
// If flushes fall behind, writers wait for them. If only these writers keep the processors busy, the
// flushes then have the processors. If another program keeps all processors busy, a flush still gets
// 3 % of one, and the writers wait for it.
//
// The threads belong to RocksDB's default Env. So they also flush and compact all other databases of the
// process with this Env: those of Dolmen, and RocksDB databases that the program itself opens.
std::shared_ptr<rocksdb::EventListener> ThreadsThatGiveWay();

// Returns a limiter that limits nothing, but lets a flush or a compaction end its turn before a write to its
// file. Linux ends a turn only at its next tick, up to 4 ms later, unless a thread wakes up. If the yields
// last long, because others keep the processors busy, the thread yields less often.
std::shared_ptr<rocksdb::RateLimiter> YieldBetweenWrites();

}  // namespace dolmen::engine
