// An LMDB environment with the keys and values of the RocksDB store in one B-tree.  Reads go to the
// memory-mapped file.

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

  // Returns the environment.  Read transactions are not bound to a thread (MDB_NOTLS).
  MDB_env* environment() const { return environment_; }
  MDB_dbi database() const { return database_; }

 private:
  explicit LmdbStore(MDB_env* environment) : environment_(environment) {}

  Status FillWith(const DataSet& data, Layout layout);

  MDB_env* environment_;
  MDB_dbi database_ = 0;
};

// Converts bytes to LMDB's type.  LMDB does not change them although its pointer is not const.
MDB_val ToMdbVal(std::string_view bytes);
std::string_view ToBytes(const MDB_val& value);

Status FromLmdb(int code, std::string_view doing);

}  // namespace dolmen::bench
