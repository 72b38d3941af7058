#include "engine/storage/store.h"

#include <rocksdb/convenience.h>
#include <rocksdb/env.h>
#include <rocksdb/metadata.h>
#include <rocksdb/transaction_log.h>

#include <algorithm>
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

Status CheckOpen(const std::atomic<bool>& failed) {
  if (!failed.load(std::memory_order_relaxed)) return {};
  return Status::Storage("writing: an earlier write failed: close the database and open it again");
}

}  // namespace

void WriteBatch::Put(const EncodedKey& key, std::string_view value) {
  Keep(batch_.Put(ToSlice(key.bytes()), ToSlice(value)));
}

void WriteBatch::Delete(const EncodedKey& key) { Keep(batch_.Delete(ToSlice(key.bytes()))); }

void WriteBatch::DeleteRange(const KeyRange& range) {
  Keep(batch_.DeleteRange(ToSlice(range.lower.bytes()), ToSlice(range.upper.bytes())));
}

Snapshot::Snapshot(const Store& store) : store_(store), snapshot_(store.db_->GetSnapshot()) {}

Snapshot::~Snapshot() { store_.db_->ReleaseSnapshot(snapshot_); }

Result<std::unique_ptr<Store>> Store::Open(const StoreOptions& options) {
  std::unique_ptr<Store> store(new Store());
  store->directory_ = options.directory;
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
  rocksdb::Options rocks = RocksOptions(options, env);
  rocks.listeners.push_back(store->iterators_);
  rocksdb::DB* db = nullptr;
  const rocksdb::Status opened = rocksdb::DB::Open(rocks, options.directory, &db);
  if (!opened.ok()) return OpenFailure(opened, options.directory);
  store->db_.reset(db);
  if (!options.in_memory) {
    // Both write buffers may have to be written to table files yet.
    store->free_space_ = std::make_unique<FreeSpace>(env->GetFileSystem(), options.directory,
                                                     2 * options.write_buffer_bytes);
  }
  return store;
}

Store::~Store() { iterators_->DropIdle(); }

rocksdb::ReadOptions Store::ReadOptionsFor(const Snapshot* snapshot) const {
  rocksdb::ReadOptions options;
  if (snapshot != nullptr) options.snapshot = snapshot->snapshot_;
  return options;
}

Result<bool> Store::Get(const EncodedKey& key, PinnedValue* value, const Snapshot* snapshot) const {
  value->Reset();
  const rocksdb::Status status =
      db_->Get(ReadOptionsFor(snapshot), db_->DefaultColumnFamily(), ToSlice(key.bytes()), value);
  if (status.IsNotFound()) return false;
  if (!status.ok()) return FromRocks(status, "reading");
  return true;
}

Status Store::MultiGet(std::span<const EncodedKey> keys, std::span<PinnedValue> values,
                       std::vector<bool>* found, const Snapshot* snapshot) const {
  std::vector<rocksdb::Slice> slices;
  slices.reserve(keys.size());
  for (const EncodedKey& key : keys) slices.push_back(ToSlice(key.bytes()));
  std::vector<rocksdb::Status> statuses(keys.size());
  db_->MultiGet(ReadOptionsFor(snapshot), db_->DefaultColumnFamily(), keys.size(), slices.data(),
                values.data(), statuses.data());
  found->assign(keys.size(), false);
  for (std::size_t i = 0; i < keys.size(); ++i) {
    if (statuses[i].IsNotFound()) continue;
    if (!statuses[i].ok()) return FromRocks(statuses[i], "reading");
    (*found)[i] = true;
  }
  return {};
}

ApproximateSize Store::SizeOf(const KeyRange& range) const {
  const rocksdb::Range asked(ToSlice(range.lower.bytes()), ToSlice(range.upper.bytes()));
  const auto bytes_in = [&](bool memory) {
    rocksdb::SizeApproximationOptions options;
    options.include_memtables = memory;
    options.include_files = !memory;
    std::uint64_t bytes = 0;
    // An error leaves the estimate at nothing.
    db_->GetApproximateSizes(options, db_->DefaultColumnFamily(), &asked, 1, &bytes)
        .PermitUncheckedError();
    return bytes;
  };
  return {.file_bytes = bytes_in(false), .memory_bytes = bytes_in(true)};
}

std::vector<TableFile> Store::TableFiles() const {
  std::vector<rocksdb::LiveFileMetaData> live;
  db_->GetLiveFilesMetaData(&live);
  std::vector<TableFile> files;
  for (const rocksdb::LiveFileMetaData& file : live) files.push_back({file.name, file.size});
  return files;
}

Status Store::CheckFile(const TableFile& file) const {
  const rocksdb::Status read = rocksdb::VerifySstFileChecksum(
      db_->GetOptions(), rocksdb::EnvOptions(), directory_ + file.name);
  if (read.ok()) return {};
  // What has been compacted away meanwhile need not be read.
  const std::vector<TableFile> live = TableFiles();
  const bool is_live = std::any_of(live.begin(), live.end(),
                                   [&](const TableFile& one) { return one.name == file.name; });
  return is_live ? FromRocks(read, "reading " + file.name.substr(1)) : Status();
}

Result<DatabaseStats> Store::Stats() const {
  if (Status open = CheckOpen(failed_); !open.ok()) return open;
  const auto property = [&](const std::string& name) {
    std::uint64_t value = 0;
    db_->GetIntProperty(name, &value);  // all of these are known to it
    return value;
  };
  DatabaseStats stats;
  stats.write_buffer_bytes = property(rocksdb::DB::Properties::kSizeAllMemTables);
  stats.cache_bytes = property(rocksdb::DB::Properties::kBlockCacheUsage);
  stats.pending_compaction_bytes =
      property(rocksdb::DB::Properties::kEstimatePendingCompactionBytes);
  if (memory_ != nullptr) return stats;
  rocksdb::ColumnFamilyMetaData files;
  db_->GetColumnFamilyMetaData(&files);
  stats.table_files = files.file_count;
  stats.table_file_bytes = files.size;
  rocksdb::VectorLogPtr logs;
  const rocksdb::Status listed = db_->GetSortedWalFiles(logs);
  if (!listed.ok()) return FromRocks(listed, "listing the logs");
  for (const auto& log : logs) stats.log_bytes += log->SizeFileBytes();
  return stats;
}

Status Store::Write(WriteBatch batch, WriteDurability durability) {
  if (!batch.status_.ok()) return FromRocks(batch.status_, "writing");
  if (Status open = CheckOpen(failed_); !open.ok()) return open;
  if (free_space_ != nullptr) {
    Status room = free_space_->Check(batch.batch_.GetDataSize());
    if (!room.ok()) return room;
  }
  rocksdb::WriteOptions options = write_options_;
  if (durability == WriteDurability::kLater) options.sync = false;
  const rocksdb::Status status = db_->Write(options, &batch.batch_);
  if (status.ok()) return {};
  // RocksDB's Resume() is no way out: called while the disk is still full it may never return, and
  // after it the next write may go to the log that failed, where RocksDB's assertions end the
  // process (7.8.3).
  failed_.store(true, std::memory_order_relaxed);
  if (status.IsPathNotFound()) {
    return Status::Storage("writing: the database's directory is gone: " + status.ToString());
  }
  return FromRocks(status, "writing");
}

Status Store::Compact() {
  rocksdb::CompactRangeOptions options;
  // By default the last level stays as it is, and with it what has been overwritten within it.
  options.bottommost_level_compaction = rocksdb::BottommostLevelCompaction::kForceOptimized;
  return FromRocks(db_->CompactRange(options, nullptr, nullptr), "compacting");
}

}  // namespace dolmen::engine
