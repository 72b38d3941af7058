// What a database takes of its machine.

#pragma once

#include <cstdint>

namespace dolmen {

struct DatabaseStats {
  std::uint64_t tables = 0;
  // On the disk; in memory databases have neither.
  std::uint64_t table_files = 0;
  std::uint64_t table_file_bytes = 0;
  std::uint64_t log_bytes = 0;  // writes that no table file holds yet
  // In memory.
  std::uint64_t memory_table_bytes = 0;  // of a database in memory: what has left its write buffers
  std::uint64_t write_buffer_bytes = 0;
  std::uint64_t cache_bytes = 0;  // of what OpenOptions::cache_bytes allows
  // Work that is waiting in the background.
  std::uint64_t pending_compaction_bytes = 0;
};

}  // namespace dolmen
