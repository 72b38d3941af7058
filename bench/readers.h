// How each store is asked.

#pragma once

#include "bench/contender.h"
#include "bench/dolmen_reader.h"
#include "bench/lmdb_reader.h"
#include "bench/rocksdb_reader.h"
#include "bench/sqlite_reader.h"
#include "bench/timed_read.h"

namespace dolmen::bench {

// For a variable at namespace scope: all stores compete in a workload that reads ranges ...
template <typename Workload>
struct AllRangeReaders {
  Registered<TimedRead<Workload, DolmenReader>> dolmen;
  Registered<TimedRead<Workload, RocksdbReader>> rocksdb;
  Registered<TimedRead<Workload, SqliteReader>> sqlite;
  Registered<TimedRead<Workload, LmdbReader>> lmdb;
};

// (besides, for some of them, RocksDB with an iterator that is kept)
template <typename Workload>
struct AllAndKeptRangeReaders : AllRangeReaders<Workload> {
  Registered<TimedRead<Workload, RocksdbKeptReader>> rocksdb_kept;
};

// ... or single items by their keys.
template <typename Workload>
struct AllItemReaders {
  Registered<TimedRead<Workload, DolmenItemReader>> dolmen;
  Registered<TimedRead<Workload, RocksdbItemReader>> rocksdb;
  Registered<TimedRead<Workload, SqliteItemReader>> sqlite;
  Registered<TimedRead<Workload, LmdbItemReader>> lmdb;
};

}  // namespace dolmen::bench
