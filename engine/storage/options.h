// Options to open a store with, and their translation into RocksDB's options.

#pragma once

#include <rocksdb/cache.h>
#include <rocksdb/file_system.h>
#include <rocksdb/options.h>

#include <cstddef>
#include <memory>
#include <optional>
#include <string>

#include "dolmen/open_options.h"
#include "engine/storage/files/database_files.h"
#include "engine/storage/files/memory_files.h"

namespace dolmen::engine {

// The number of memtables that RocksDB fills before writes wait for a flush.
inline constexpr int kWriteBuffers = 2;
// The number of background jobs that RocksDB runs at the same time: one flush and one compaction.
inline constexpr int kBackgroundJobs = 2;

// The options of a store.
struct StoreOptions {
  std::string directory = {};
  bool in_memory = false;  // keeps all files in memory; `directory` is then only a name
  bool read_only = false;  // changes nothing on the disk; must be false if in_memory
  bool sync = true;        // a write is on the disk before it is acknowledged; no effect in memory
  // The files of a database that is to be opened in memory. Null: the database in memory is new. No
  // effect unless in_memory.
  std::shared_ptr<const MemoryDirectory> memory = nullptr;
  std::size_t cache_bytes = 0;         // size of the block cache
  std::size_t row_cache_bytes = 0;     // size of the row cache; 0: no row cache
  bool checks_row_cache = false;       // for tests: see RowCache::checks_reads()
  std::size_t write_buffer_bytes = 0;  // size at which a memtable is flushed; 0: RocksDB's minimum
  // The block cache, which several stores may share. Null: a new one of cache_bytes.
  std::shared_ptr<rocksdb::Cache> block_cache = nullptr;
  std::optional<EncryptionKey> encryption_key = std::nullopt;  // no effect in memory
  // The file system that holds the files. Null means the operating system's file system. Tests of
  // failing disks set another one. If there is a key, the store encrypts what it writes there.
  std::shared_ptr<rocksdb::FileSystem> file_system = nullptr;
};

// Returns RocksDB's options for a store whose files are in `env`. A null `env` means the operating
// system's files.
rocksdb::Options RocksOptions(const StoreOptions& options, rocksdb::Env* env);

// Returns the options with a write buffer that suits the size of the volume. `files` is null if the
// files are in memory.
StoreOptions ScaledToVolume(const StoreOptions& options, DatabaseFiles* files);

// Reduces the space that one compaction needs, for a small volume. A compaction writes its output
// before it deletes its input. RocksDB's defaults suit its default buffer of 64 MB.
void MakeCompactionsSmall(rocksdb::Options* rocks);

}  // namespace dolmen::engine
