#include "bench/lmdb_contender.h"

#include <string>
#include <system_error>
#include <vector>

#include "bench/stored_rows.h"

namespace dolmen::bench {
namespace {

// Address space, not memory or disk: more than any run writes.
constexpr std::size_t kMapBytes = std::size_t{64} << 30;

}  // namespace

Result<std::unique_ptr<LmdbStore>> LmdbStore::Load(const DataSet& data,
                                                   const std::filesystem::path& directory) {
  std::error_code error;
  std::filesystem::create_directory(directory, error);
  MDB_env* environment = nullptr;
  int code = mdb_env_create(&environment);
  if (code != MDB_SUCCESS) return FromLmdb(code, "making an environment");
  std::unique_ptr<LmdbStore> store(new LmdbStore(environment));
  code = mdb_env_set_mapsize(environment, kMapBytes);
  if (code != MDB_SUCCESS) return FromLmdb(code, "setting the size of the map");
  code = mdb_env_open(environment, directory.c_str(), MDB_NOSYNC, 0644);
  if (code != MDB_SUCCESS) return FromLmdb(code, "opening " + directory.string());
  if (Status filled = store->Fill(data); !filled.ok()) return filled;
  return store;
}

Status LmdbStore::Fill(const DataSet& data) {
  Progress progress(kName, data.size);
  const std::vector<StoredRow> rows = SortedRows(data);
  MDB_txn* transaction = nullptr;
  int code = mdb_txn_begin(environment_, nullptr, 0, &transaction);
  if (code != MDB_SUCCESS) return FromLmdb(code, "beginning to load");
  code = mdb_dbi_open(transaction, nullptr, 0, &database_);
  for (std::size_t i = 0; code == MDB_SUCCESS && i < rows.size(); ++i) {
    MDB_val key = ToMdbVal(rows[i].key);
    MDB_val item = ToMdbVal(rows[i].item);
    code = mdb_put(transaction, database_, &key, &item, MDB_APPEND);
  }
  if (code != MDB_SUCCESS) {
    mdb_txn_abort(transaction);
    return FromLmdb(code, "loading");
  }
  progress.Loaded(data.size);
  return FromLmdb(mdb_txn_commit(transaction), "loading");
}

MDB_val ToMdbVal(std::string_view bytes) {
  return {.mv_size = bytes.size(), .mv_data = const_cast<char*>(bytes.data())};
}

std::string_view ToBytes(const MDB_val& value) {
  return {static_cast<const char*>(value.mv_data), value.mv_size};
}

Status FromLmdb(int code, std::string_view doing) {
  if (code == MDB_SUCCESS) return {};
  return Status::Storage("LMDB, " + std::string(doing) + ": " + mdb_strerror(code));
}

}  // namespace dolmen::bench
