// The priority of RocksDB's own threads, which flush memtables and compact table files.

#pragma once

#include <rocksdb/listener.h>

#include <memory>

namespace dolmen::engine {

// Returns a listener that makes RocksDB's threads give way, so that a flush delays no request on a busy
// machine. Such a thread adds 15 to its nice value, and takes turns of a tenth of a millisecond. So it
// gets 3 % of a processor that another thread keeps busy. If flushes fall behind, writers wait for
// them, and thus leave the processor to them. The threads belong to all databases of the process.
// Does nothing on systems other than Linux.
std::shared_ptr<rocksdb::EventListener> ThreadsThatGiveWay();

}  // namespace dolmen::engine
