// How each store is written to.

#pragma once

#include "bench/bare_senders.h"
#include "bench/dolmen_senders.h"
#include "bench/message_writes.h"

namespace dolmen::bench {

// For a variable at namespace scope: all stores compete in a workload that writes messages.
template <typename Workload>
struct AllWriters {
  Registered<MessageWrites<Workload, DolmenSender>> dolmen;
  Registered<MessageWrites<Workload, BareSender<RocksdbWrite>>> rocksdb;
  Registered<MessageWrites<Workload, BareSender<SqliteWrite>>> sqlite;
  Registered<MessageWrites<Workload, BareSender<LmdbWrite>>> lmdb;
};

}  // namespace dolmen::bench
