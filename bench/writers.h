// A template that registers the senders of all stores for a workload.

#pragma once

#include "bench/bare_senders.h"
#include "bench/dolmen_senders.h"
#include "bench/message_writes.h"

namespace dolmen::bench {

// Registers a contender for each store, for a workload that writes messages. Define objects of
// this type at namespace scope.
template <typename Workload>
struct AllWriters {
  Registered<MessageWrites<Workload, DolmenSender>> dolmen;
  Registered<MessageWrites<Workload, BareSender<RocksdbWrite>>> rocksdb;
  Registered<MessageWrites<Workload, BareSender<SqliteWrite>>> sqlite;
  Registered<MessageWrites<Workload, BareSender<LmdbWrite>>> lmdb;
};

}  // namespace dolmen::bench
