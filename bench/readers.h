// Templates that register the readers of all stores for a workload.

#pragma once

#include "bench/contender.h"
#include "bench/dolmen_reader.h"
#include "bench/lmdb_reader.h"
#include "bench/rocksdb_reader.h"
#include "bench/sqlite_reader.h"
#include "bench/timed_read.h"

namespace dolmen::bench {

// Registers a contender for each store, and one for LMDB without copies, for a workload that reads
// ranges. Define objects of this type at namespace scope.
template <typename Workload>
struct AllRangeReaders {
  Registered<TimedRead<Workload, DolmenReader>> dolmen;
  Registered<TimedRead<Workload, RocksdbReader>> rocksdb;
  Registered<TimedRead<Workload, SqliteReader>> sqlite;
  Registered<TimedRead<Workload, LmdbReader>> lmdb;
  Registered<TimedRead<Workload, LmdbViewReader>> lmdb_view;
};

// Registers a contender for each store, and one for RocksDB with a reused iterator.
template <typename Workload>
struct AllAndKeptRangeReaders : AllRangeReaders<Workload> {
  Registered<TimedRead<Workload, RocksdbKeptReader>> rocksdb_kept;
};

// Registers a contender for each store, and one for LMDB without copies, for a workload that reads
// single items by their keys.
template <typename Workload>
struct AllItemReaders {
  Registered<TimedRead<Workload, DolmenItemReader>> dolmen;
  Registered<TimedRead<Workload, RocksdbItemReader>> rocksdb;
  Registered<TimedRead<Workload, SqliteItemReader>> sqlite;
  Registered<TimedRead<Workload, LmdbItemReader>> lmdb;
  Registered<TimedRead<Workload, LmdbViewItemReader>> lmdb_view;
};

}  // namespace dolmen::bench
