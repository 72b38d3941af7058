#include "bench/rocksdb_store.h"

#include <rocksdb/options.h>
#include <rocksdb/write_batch.h>

#include <algorithm>
#include <vector>

#include "bench/stored_rows.h"
#include "dolmen/open_options.h"
#include "engine/engine.h"
#include "engine/storage/rocks_status.h"
#include "engine/storage/rocks_versions.h"

namespace dolmen::bench {
namespace {

constexpr std::uint64_t kItemsPerBatch = 100;

// Returns the options that Dolmen uses for RocksDB.
rocksdb::Options OptionsFor(const std::filesystem::path& directory, const OpenOptions& options) {
  return engine::RocksOptions(engine::Engine::StoreOptionsFor(directory, options), nullptr);
}

Result<std::unique_ptr<rocksdb::DB>> OpenDb(const std::filesystem::path& directory,
                                            const OpenOptions& options) {
  return engine::OpenRocks(OptionsFor(directory, options), directory.string());
}

rocksdb::Status LoadRows(const DataSet& data, rocksdb::DB* db, Progress* progress) {
  rocksdb::WriteBatch batch;
  std::vector<StoredRow> rows;
  for (std::uint64_t i = 0; i < data.size;) {
    const std::uint64_t end = std::min(i + kItemsPerBatch, data.size);
    batch.Clear();
    rows.clear();
    for (; i < end; ++i) AppendStoredRows(data.item(i), &rows);
    for (const StoredRow& row : rows) {
      rocksdb::Status put = batch.Put(row.key, row.item);
      if (!put.ok()) return put;
    }
    rocksdb::Status written = db->Write(rocksdb::WriteOptions(), &batch);
    if (!written.ok()) return written;
    progress->Loaded(i);
  }
  return rocksdb::Status::OK();
}

rocksdb::Status Compact(rocksdb::DB* db) {
  rocksdb::CompactRangeOptions options;  // equal to the options in engine/storage
  options.bottommost_level_compaction = rocksdb::BottommostLevelCompaction::kForceOptimized;
  return db->CompactRange(options, nullptr, nullptr);
}

}  // namespace

Status RocksdbStore::Fill(const DataSet& data, Layout layout,
                          const std::filesystem::path& directory) {
  Progress progress(kName, data.size);
  Result<std::unique_ptr<rocksdb::DB>> db = OpenDb(directory, {});
  if (!db.ok()) return db.status();
  rocksdb::Status loaded = LoadRows(data, db->get(), &progress);
  if (loaded.ok() && layout == Layout::kCompacted) {
    progress.Compacting();
    db->reset();  // Dolmen is also reopened before compaction
    db = OpenDb(directory, {});
    if (!db.ok()) return db.status();
    loaded = Compact(db->get());
  }
  return engine::FromRocks(loaded, "loading");
}

Result<std::unique_ptr<RocksdbStore>> RocksdbStore::Open(const std::filesystem::path& directory,
                                                         const StoreSettings& settings) {
  Result<std::unique_ptr<rocksdb::DB>> db =
      OpenDb(directory, {.cache_bytes = settings.cache_bytes});
  if (!db.ok()) return db.status();
  return std::unique_ptr<RocksdbStore>(new RocksdbStore(*std::move(db), settings.durability));
}

}  // namespace dolmen::bench
