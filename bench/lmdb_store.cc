#include "bench/lmdb_store.h"

#include <string>
#include <system_error>

#include "bench/stored_rows.h"

namespace dolmen::bench {
namespace {

// Size of the memory map in bytes. It is larger than any data of a run. It takes address space,
// but no memory.
constexpr std::size_t kMapBytes = std::size_t{64} << 30;

}  // namespace

Status LmdbStore::Fill(const DataSet& data, Layout layout, const std::filesystem::path& directory) {
  std::error_code error;
  std::filesystem::create_directory(directory, error);
  const Result<std::unique_ptr<LmdbStore>> store = Open(directory, {});
  if (!store.ok()) return store.status();
  return (*store)->FillWith(data, layout);
}

Result<std::unique_ptr<LmdbStore>> LmdbStore::Open(const std::filesystem::path& directory,
                                                   const StoreSettings& settings) {
  MDB_env* environment = nullptr;
  int code = mdb_env_create(&environment);
  if (code != MDB_SUCCESS) return FromLmdb(code, "creating an environment");
  std::unique_ptr<LmdbStore> store(new LmdbStore(environment));
  code = mdb_env_set_mapsize(environment, kMapBytes);
  if (code != MDB_SUCCESS) return FromLmdb(code, "setting the size of the memory map");
  const unsigned int sync = settings.durability == Durability::kSync ? 0 : MDB_NOSYNC;
  code = mdb_env_open(environment, directory.c_str(), MDB_NOTLS | sync, 0644);
  if (code != MDB_SUCCESS) return FromLmdb(code, "opening " + directory.string());
  MDB_txn* transaction = nullptr;
  code = mdb_txn_begin(environment, nullptr, MDB_RDONLY, &transaction);
  if (code != MDB_SUCCESS) return FromLmdb(code, "beginning to open");
  code = mdb_dbi_open(transaction, nullptr, 0, &store->database_);
  if (code != MDB_SUCCESS) {
    mdb_txn_abort(transaction);
    return FromLmdb(code, "opening the database in the environment");
  }
  if (Status opened = FromLmdb(mdb_txn_commit(transaction), "opening"); !opened.ok()) {
    return opened;
  }
  return store;
}

Status LmdbStore::FillWith(const DataSet& data, Layout layout) {
  Progress progress(kName, data.size);
  MDB_txn* transaction = nullptr;
  const int begun = mdb_txn_begin(environment_, nullptr, 0, &transaction);
  if (begun != MDB_SUCCESS) return FromLmdb(begun, "beginning to load");
  const unsigned int flags = layout == Layout::kCompacted ? MDB_APPEND : 0;
  Status filled = ForEachRow(data, layout, &progress, [&](const StoredRow& row) {
    MDB_val key = ToMdbVal(row.key);
    MDB_val item = ToMdbVal(row.item);
    return FromLmdb(mdb_put(transaction, database_, &key, &item, flags), "loading");
  });
  if (filled.ok()) return FromLmdb(mdb_txn_commit(transaction), "loading");
  mdb_txn_abort(transaction);
  return filled;
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
