// An LMDB environment with one B-tree. The B-tree has the same keys and values as the RocksDB
// store. LMDB reads from the memory-mapped file.

#pragma once

#include <lmdb.h>

#include <filesystem>
#include <memory>
#include <string_view>

#include "bench/data.h"
#include "bench/stores.h"

namespace dolmen::bench {

class LmdbStore : public OpenStore {
 public:
  static constexpr std::string_view kName = "lmdb";
  static Status Fill(const DataSet& data, Layout layout, const std::filesystem::path& directory);
  static Result<std::unique_ptr<LmdbStore>> Open(const std::filesystem::path& directory,
                                                 const StoreSettings& settings);
  ~LmdbStore() override { mdb_env_close(environment_); }

  // Returns the environment, which was opened with MDB_NOTLS: a read transaction is not bound to a
  // thread.
  MDB_env* environment() const { return environment_; }
  MDB_dbi database() const { return database_; }

 private:
  explicit LmdbStore(MDB_env* environment) : environment_(environment) {}

  Status FillWith(const DataSet& data, Layout layout);

  MDB_env* environment_;
  MDB_dbi database_ = 0;
};

// Convert between bytes and LMDB's type. LMDB does not change the bytes, although the pointer in
// its type is not const.
MDB_val ToMdbVal(std::string_view bytes);
std::string_view ToBytes(const MDB_val& value);

Status FromLmdb(int code, std::string_view doing);

}  // namespace dolmen::bench
