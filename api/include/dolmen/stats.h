// The memory and disk space that a database uses (Database::Stats).

#pragma once

#include "dolmen/internal/hide_macros.h"

#include <cstdint>

namespace dolmen {

// The sizes of a database at one moment. RocksDB reports the sizes on disk and in memory.
struct DatabaseStats {
  std::uint64_t tables = 0;

  // Sizes on disk. All are zero for a database in memory.
  std::uint64_t table_files = 0;       // number of RocksDB's table files
  std::uint64_t table_file_bytes = 0;  // compressed, as stored
  std::uint64_t log_bytes = 0;         // writes that no table file holds yet

  // Sizes in memory, in bytes.
  std::uint64_t memory_table_bytes = 0;  // table files of a database in memory; otherwise zero
  std::uint64_t write_buffer_bytes = 0;  // recent writes (OpenOptions::write_buffer_bytes)
  std::uint64_t cache_bytes = 0;         // the used part of OpenOptions::cache_bytes
  std::uint64_t row_cache_bytes = 0;     // the used part of OpenOptions::row_cache_bytes

  // The reads since the database was opened that the row cache answered, the reads that it did not
  // answer, and the number of its entries that were evicted because it was full.
  std::uint64_t row_cache_hits = 0;
  std::uint64_t row_cache_misses = 0;
  std::uint64_t row_cache_evictions = 0;

  // An estimate of the bytes that compactions in the background still have to rewrite. While no
  // program writes, the number falls to zero.
  std::uint64_t pending_compaction_bytes = 0;
};

}  // namespace dolmen

#include "dolmen/internal/show_macros.h"
