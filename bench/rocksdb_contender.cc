#include "bench/rocksdb_contender.h"

#include <rocksdb/options.h>
#include <rocksdb/write_batch.h>

#include <algorithm>

#include "dolmen/open_options.h"
#include "engine/engine.h"
#include "engine/key/key_codec.h"
#include "engine/storage/rocks_status.h"
#include "engine/value/codec.h"

namespace dolmen::bench {
namespace {

constexpr std::uint64_t kRowsPerBatch = 100;

rocksdb::Slice ToSlice(std::string_view bytes) { return {bytes.data(), bytes.size()}; }

// Dolmen's own options, so that the comparison is not one of options: whoever tunes Dolmen's tunes
// these.
rocksdb::Options Options(const ChatData& data, const std::filesystem::path& directory) {
  const OpenOptions options{.cache_bytes = CacheBytes(data)};
  return engine::RocksOptions(engine::Engine::StoreOptionsFor(directory, options), nullptr);
}

Result<std::unique_ptr<rocksdb::DB>> Open(const ChatData& data,
                                          const std::filesystem::path& directory) {
  rocksdb::DB* db = nullptr;
  const rocksdb::Status opened =
      rocksdb::DB::Open(Options(data, directory), directory.string(), &db);
  if (!opened.ok()) return engine::FromRocks(opened, "opening " + directory.string());
  return std::unique_ptr<rocksdb::DB>(db);
}

rocksdb::Status LoadRows(const ChatData& data, rocksdb::DB* db, Progress* progress) {
  rocksdb::WriteBatch batch;
  for (std::uint64_t i = 0; i < data.messages();) {
    const std::uint64_t end = std::min(i + kRowsPerBatch, data.messages());
    batch.Clear();
    for (; i < end; ++i) {
      const Item item = data.Message(i);
      const std::string partition_key = ChatData::PartitionKey(i % data.conversations());
      const engine::EncodedKey key = RowKeyOf(partition_key, ChatData::SortKey(i));
      rocksdb::Status put = batch.Put(ToSlice(key.bytes()), StoredForm(item));
      if (!put.ok()) return put;
    }
    rocksdb::Status written = db->Write(rocksdb::WriteOptions(), &batch);
    if (!written.ok()) return written;
    progress->Loaded(i);
  }
  progress->Compacting();
  rocksdb::CompactRangeOptions options;  // as in engine/storage
  options.bottommost_level_compaction = rocksdb::BottommostLevelCompaction::kForceOptimized;
  return db->CompactRange(options, nullptr, nullptr);
}

}  // namespace

Result<std::unique_ptr<RocksdbStore>> RocksdbStore::Load(const ChatData& data,
                                                         const std::filesystem::path& directory) {
  Progress progress(kName, data.messages());
  Result<std::unique_ptr<rocksdb::DB>> db = Open(data, directory);
  if (!db.ok()) return db.status();
  const rocksdb::Status loaded = LoadRows(data, db->get(), &progress);
  if (!loaded.ok()) return engine::FromRocks(loaded, "loading");
  db->reset();  // as Dolmen, which is compacted and opened again
  db = Open(data, directory);
  if (!db.ok()) return db.status();
  return std::unique_ptr<RocksdbStore>(new RocksdbStore(*std::move(db)));
}

engine::EncodedKey RowKeyOf(std::string_view partition_key, std::string_view sort_key) {
  return engine::RowKey(engine::KeyspaceId::kFirst, {partition_key, sort_key});
}

std::string StoredForm(const Item& item) {
  std::string bytes;
  engine::EncodeItem(item, &bytes).IgnoreError();
  return bytes;
}

std::uint64_t BytesInRows(const ChatData& data) {
  constexpr std::uint64_t kSample = 1000;
  std::uint64_t bytes = 0;
  for (std::uint64_t i = 0; i < kSample; ++i) {
    const std::string partition_key = ChatData::PartitionKey(i % data.conversations());
    bytes += RowKeyOf(partition_key, ChatData::SortKey(i)).bytes().size();
    bytes += StoredForm(data.Message(i)).size();
  }
  return bytes * (data.messages() / kSample);
}

}  // namespace dolmen::bench
