// LMDB: the same keys and values in its one B-tree, which is read in the memory that maps its file.

#pragma once

#include <lmdb.h>

#include <filesystem>
#include <memory>
#include <string_view>

#include "bench/contender.h"
#include "bench/data.h"

namespace dolmen::bench {

class LmdbStore : public LoadedStore {
 public:
  static constexpr std::string_view kName = "lmdb";
  static Result<std::unique_ptr<LmdbStore>> Load(const DataSet& data,
                                                 const std::filesystem::path& directory);
  ~LmdbStore() override { mdb_env_close(environment_); }

  MDB_env* environment() const { return environment_; }
  MDB_dbi database() const { return database_; }

 private:
  explicit LmdbStore(MDB_env* environment) : environment_(environment) {}

  Status Fill(const DataSet& data);

  MDB_env* environment_;
  MDB_dbi database_ = 0;
};

// LMDB takes what it only reads by pointers to what may be changed.
MDB_val ToMdbVal(std::string_view bytes);
std::string_view ToBytes(const MDB_val& value);

Status FromLmdb(int code, std::string_view doing);

}  // namespace dolmen::bench
