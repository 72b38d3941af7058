// How a store is opened, and what that means to RocksDB.

#pragma once

#include <rocksdb/file_system.h>
#include <rocksdb/options.h>

#include <cstddef>
#include <memory>
#include <string>

namespace dolmen::engine {

struct StoreOptions {
  std::string directory = {};
  bool in_memory = false;  // then `directory` is only a name
  bool read_only = false;  // nothing on the disk is changed; not in memory
  bool sync = true;        // an acknowledged write is on the disk
  std::size_t cache_bytes = 0;
  std::size_t write_buffer_bytes = 0;
  std::shared_ptr<rocksdb::FileSystem> file_system = nullptr;  // for tests of failing disks
};

// RocksDB's options for such a store, in files of `env` (null: the operating system's).
rocksdb::Options RocksOptions(const StoreOptions& options, rocksdb::Env* env);

}  // namespace dolmen::engine
