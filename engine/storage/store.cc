#include "engine/storage/store.h"

#include <rocksdb/env.h>

#include <utility>

#include "engine/storage/rocks_status.h"

namespace dolmen::engine {
namespace {

rocksdb::Slice ToSlice(std::string_view bytes) { return {bytes.data(), bytes.size()}; }

Status OpenFailure(const rocksdb::Status& status, const std::string& directory) {
  // RocksDB has no code for it, only words: for this process, and for another one.  That it can't
  // open the file has others.
  const std::string message = status.ToString();
  const std::string lock = directory + "/LOCK: ";
  if (status.IsIOError() && (message.find("lock hold by current process") != message.npos ||
                             message.find("While lock file: " + lock) != message.npos)) {
    return Status::ResourceInUse("the database in " + directory +
                                 " is open already, here or in another process");
  }
  return FromRocks(status, "opening " + directory);
}

}  // namespace

void WriteBatch::Put(const EncodedKey& key, std::string_view value) {
  Keep(batch_.Put(ToSlice(key.bytes()), ToSlice(value)));
}

void WriteBatch::Delete(const EncodedKey& key) { Keep(batch_.Delete(ToSlice(key.bytes()))); }

Result<std::unique_ptr<Store>> Store::Open(const StoreOptions& options) {
  std::unique_ptr<Store> store(new Store());
  rocksdb::Env* env = rocksdb::Env::Default();
  if (options.in_memory) {
    store->memory_.reset(rocksdb::NewMemEnv(rocksdb::Env::Default()));
    env = store->memory_.get();
  } else if (options.file_system != nullptr) {
    store->wrapped_ = rocksdb::NewCompositeEnv(options.file_system);
    env = store->wrapped_.get();
  }
  store->write_options_.sync = options.sync && !options.in_memory;
  store->write_options_.disableWAL = options.in_memory;  // nothing would ever replay it
  rocksdb::DB* db = nullptr;
  const rocksdb::Status opened =
      rocksdb::DB::Open(RocksOptions(options, env), options.directory, &db);
  if (!opened.ok()) return OpenFailure(opened, options.directory);
  store->db_.reset(db);
  if (!options.in_memory) {
    // Both write buffers may have to be written to table files yet.
    store->free_space_ = std::make_unique<FreeSpace>(env->GetFileSystem(), options.directory,
                                                     2 * options.write_buffer_bytes);
  }
  return store;
}

Result<bool> Store::Get(const EncodedKey& key, PinnedValue* value) const {
  value->Reset();
  const rocksdb::Status status =
      db_->Get(rocksdb::ReadOptions(), db_->DefaultColumnFamily(), ToSlice(key.bytes()), value);
  if (status.IsNotFound()) return false;
  if (!status.ok()) return FromRocks(status, "reading");
  return true;
}

Status Store::Write(WriteBatch batch) {
  if (!batch.status_.ok()) return FromRocks(batch.status_, "writing");
  if (failed_.load(std::memory_order_relaxed)) {
    return Status::Storage(
        "writing: an earlier write failed: close the database and open it again");
  }
  if (free_space_ != nullptr) {
    Status room = free_space_->Check(batch.batch_.GetDataSize());
    if (!room.ok()) return room;
  }
  const rocksdb::Status status = db_->Write(write_options_, &batch.batch_);
  if (status.ok()) return {};
  // RocksDB's Resume() is no way out: called while the disk is still full it may never return, and
  // after it the next write may go to the log that failed, where RocksDB's assertions end the
  // process (7.8.3).
  failed_.store(true, std::memory_order_relaxed);
  return FromRocks(status, "writing");
}

Status Store::Compact() {
  rocksdb::CompactRangeOptions options;
  // By default the last level stays as it is, and with it what has been overwritten within it.
  options.bottommost_level_compaction = rocksdb::BottommostLevelCompaction::kForceOptimized;
  return FromRocks(db_->CompactRange(options, nullptr, nullptr), "compacting");
}

Cursor::Cursor(const Store& store, KeyRange range)
    : range_(std::move(range)),
      lower_(ToSlice(range_.lower.bytes())),
      upper_(ToSlice(range_.upper.bytes())) {
  rocksdb::ReadOptions options;
  options.iterate_lower_bound = &lower_;
  options.iterate_upper_bound = &upper_;
  iterator_.reset(store.db_->NewIterator(options));
}

Status Cursor::status() const { return FromRocks(iterator_->status(), "reading"); }

}  // namespace dolmen::engine
