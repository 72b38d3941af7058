// A switch for RocksDB's performance counters.

#pragma once

#include <rocksdb/perf_level.h>

namespace dolmen::engine {

// Switches off RocksDB's performance counters of this thread until its destruction. They count, for
// example, each comparison of two keys. Dolmen does not read the counters.
class WithoutPerfCounters {
 public:
  WithoutPerfCounters() { rocksdb::SetPerfLevel(rocksdb::PerfLevel::kDisable); }
  ~WithoutPerfCounters() { rocksdb::SetPerfLevel(before_); }
  WithoutPerfCounters(const WithoutPerfCounters&) = delete;
  WithoutPerfCounters& operator=(const WithoutPerfCounters&) = delete;

 private:
  const rocksdb::PerfLevel before_ = rocksdb::GetPerfLevel();
};

}  // namespace dolmen::engine
