#include "engine/storage/store.h"

#include <rocksdb/convenience.h>
#include <rocksdb/env.h>
#include <rocksdb/metadata.h>
#include <rocksdb/perf_level.h>
#include <rocksdb/transaction_log.h>

#include <algorithm>
#include <utility>

#include "engine/base/status_macros.h"
#include "engine/storage/backup/backup.h"
#include "engine/storage/encryption/encrypted_files.h"
#include "engine/storage/files/process_limits.h"
#include "engine/storage/files/regular_files.h"
#include "engine/storage/key_search.h"
#include "engine/storage/logs/log_batch.h"
#include "engine/storage/logs/log_check.h"
#include "engine/storage/rocks_process.h"
#include "engine/storage/rocks_status.h"
#include "engine/storage/rocks_threads.h"
#include "engine/storage/rocks_versions.h"

namespace dolmen::engine {
namespace {

// Switches off RocksDB's performance counters of this thread until its destruction. They count, for
// example, each comparison of two keys. Dolmen does not read the counters.
class WithoutPerfCounters {
 public:
  WithoutPerfCounters() { rocksdb::SetPerfLevel(rocksdb::PerfLevel::kDisable); }
  ~WithoutPerfCounters() { rocksdb::SetPerfLevel(before_); }
  WithoutPerfCounters(const WithoutPerfCounters&) = delete;
  WithoutPerfCounters& operator=(const WithoutPerfCounters&) = delete;

 private:
  const rocksdb::PerfLevel before_ = rocksdb::GetPerfLevel();
};

// The size that a file of the process may have is at least this number of times the size of a large
// table file. Otherwise the table files are made smaller.
constexpr std::uint64_t kTableFilesPerLimit = 4;

rocksdb::Slice ToSlice(std::string_view bytes) { return {bytes.data(), bytes.size()}; }

rocksdb::Range ToRange(const KeyRange& range) {
  return {ToSlice(range.lower.bytes()), ToSlice(range.upper.bytes())};
}

}  // namespace

Snapshot::Snapshot(const Store& store) : store_(store), snapshot_(store.db_->GetSnapshot()) {}

Snapshot::~Snapshot() { store_.db_->ReleaseSnapshot(snapshot_); }

Result<std::unique_ptr<Store>> Store::Open(const StoreOptions& options) {
  std::unique_ptr<Store> store(new Store());
  store->directory_ = options.directory;
  store->encryption_key_ = options.encryption_key;
  store->file_system_ = options.file_system;
  store->read_only_ = options.read_only;
  store->write_options_.sync = options.sync && !options.in_memory;
  store->write_options_.disableWAL = options.in_memory;  // the log would never be replayed
  DOLMEN_RETURN_IF_ERROR(store->PrepareFiles(options));
  StoreOptions scaled = ScaledToVolume(options, store->files_.get());
  // A shard costs 1,300 instructions when a database is opened and closed. -1: up to 64 shards.
  const int shard_bits = options.in_memory ? 4 : -1;
  if (scaled.block_cache == nullptr) {
    scaled.block_cache = rocksdb::NewLRUCache(scaled.cache_bytes, shard_bits);
  }
  store->block_cache_ = scaled.block_cache;
  rocksdb::Options rocks = RocksOptions(scaled, store->env_.get());
  if (scaled.write_buffer_bytes < options.write_buffer_bytes ||
      FileBytesMax() / kTableFilesPerLimit < rocks.target_file_size_base) {
    MakeCompactionsSmall(&rocks);
  }
  const std::size_t table_bytes = rocks.target_file_size_base;
  rocks.listeners.push_back(store->iterators_);
  if (!options.in_memory && !options.read_only) {
    store->small_files_ = std::make_shared<SmallFiles>(store->iterators_);
    rocks.listeners.push_back(store->small_files_);
    DOLMEN_RETURN_IF_ERROR(CheckThreadForTimer());
  }
  const auto open = options.read_only ? OpenRocksReadOnly : OpenRocks;
  Result<std::unique_ptr<rocksdb::DB>> opened =
      open(rocks, store->directory_, [&] { store->LeaveToTheEndOfTheProcess(); });
  if (!opened.ok()) return opened.status();
  store->db_ = *std::move(opened);
  rocksdb::DB* const db = store->db_.get();
  store->forks_.emplace(Forks::Source{db, store->memory_, store->files_});
  if (options.row_cache_bytes > 0) {
    store->row_cache_ = std::make_unique<RowCache>(
        options.row_cache_bytes, [db] { return db->GetLatestSequenceNumber(); },
        options.checks_row_cache);
  }
  if (options.in_memory || options.read_only) return store;
  store->free_space_ = std::make_shared<FreeSpace>(store->files_, options.directory,
                                                   scaled.write_buffer_bytes, table_bytes);
  DOLMEN_RETURN_IF_ERROR(
      store->files_->Opened([db = store->db_.get()] { return db->GetLatestSequenceNumber(); }));
  store->small_files_->Begin(db, store->free_space_, table_bytes);
  return store;
}

Status Store::PrepareFiles(const StoreOptions& options) {
  if (options.in_memory) {
    memory_ = options.memory != nullptr
                  ? options.memory
                  : std::make_shared<const MemoryDirectory>(MemoryFiles::Create());
    directory_ = memory_->path();
    env_ = rocksdb::NewCompositeEnv(memory_->files());
    return {};
  }
  DOLMEN_ASSIGN_OR_RETURN(DirectoryLock lock, DirectoryLock::Acquire(options.directory));
  lock_.emplace(std::move(lock));
  std::shared_ptr<rocksdb::FileSystem> base =
      RegularFilesIn(options.directory, options.file_system);
  if (options.encryption_key) base = EncryptFiles(base, *options.encryption_key);
  DOLMEN_ASSIGN_OR_RETURN(CheckedLogs logs, CheckLogs(base.get(), options.directory,
                                                      options.encryption_key.has_value()));
  files_ = std::make_shared<DatabaseFiles>(base, options.directory, std::move(logs));
  env_ = rocksdb::NewCompositeEnv(files_);
  return {};
}

Store::~Store() {
  if (db_ == nullptr) return;  // the opening has failed
  if (!HasStaticObjects()) {
    LeaveToTheEndOfTheProcess();
    return;
  }
  if (small_files_ != nullptr) small_files_->End();
  iterators_->DropIdle();
  // After a failed write it is unknown which writes the log holds.
  const bool is_whole = files_ != nullptr && !read_only_ && !failed_.load();
  if (is_whole && db_->SyncWAL().ok()) files_->Closing();
}

// The database stays open, or half open, and its directory locked, because RocksDB's threads may still write. The next
// opening replays the log, as after a kill.
void Store::LeaveToTheEndOfTheProcess() {
  if (small_files_ != nullptr) small_files_->Stop();
  struct Left {
    std::unique_ptr<rocksdb::DB> db;
    std::unique_ptr<rocksdb::Env> env;
    std::shared_ptr<DatabaseFiles> files;
    std::shared_ptr<const MemoryDirectory> memory;
    std::optional<DirectoryLock> lock;
    std::shared_ptr<IteratorPool> iterators;
    const Left* next;
  };
  static constinit std::atomic<const Left*> last = nullptr;
  auto* const left = new Left{.db = std::move(db_),
                              .env = std::move(env_),
                              .files = std::move(files_),
                              .memory = std::move(memory_),
                              .lock = std::move(lock_),
                              .iterators = std::move(iterators_),
                              .next = nullptr};
  left->next = last.exchange(left);
}

rocksdb::ReadOptions Store::ToRocksOptions(const ReadOptions& options) {
  rocksdb::ReadOptions rocks;
  if (options.snapshot != nullptr) rocks.snapshot = options.snapshot->snapshot_;
  rocks.fill_cache = options.fills_cache;
  if (options.memory_only) rocks.read_tier = rocksdb::kMemtableTier;
  rocks.max_skippable_internal_keys = options.passed_over_max;
  return rocks;
}

Result<bool> Store::Get(const EncodedKey& key, PinnedValue* value,
                        const ReadOptions& options) const {
  value->Reset();
  if (row_cache_ == nullptr || options.snapshot != nullptr) {
    return GetUncached(key, value, options);
  }
  {
    RowCache::Reader reader(*row_cache_);
    if (const std::optional<bool> exists = reader.Get(key.bytes(), value)) {
      reader.CountHit();
      if (row_cache_->checks_reads()) {
        DOLMEN_RETURN_IF_ERROR(CheckCached(key, *exists, *value, reader));
      }
      return *exists;
    }
    reader.CountMiss();
  }
  if (!options.fills_row_cache) return GetUncached(key, value, options);
  return GetAndFill(key, value, options);
}

Status Store::CheckCached(const EncodedKey& key, bool exists, const PinnedValue& value,
                          const RowCache::Reader& reader) const {
  PinnedValue other;
  DOLMEN_ASSIGN_OR_RETURN(const bool found, GetUncached(key, &other, {}));
  const bool is_same = found == exists && (!found || other == value);
  if (is_same || !reader.IsStillVisible()) return {};
  return Status::Corruption("the row cache has another row than RocksDB");
}

Result<bool> Store::GetAndFill(const EncodedKey& key, PinnedValue* value,
                               const ReadOptions& options) const {
  RowCache::Fill fill(*row_cache_, key.bytes());
  const Result<bool> found = GetUncached(key, value, options);
  if (!found.ok() || !fill.active()) return found;
  const CachedRow row{{}, value->ToStringView()};
  // The range of the single key.
  fill.Finish({"", std::string(1, '\0')}, std::span(&row, *found ? 1 : 0));
  return found;
}

Result<bool> Store::GetUncached(const EncodedKey& key, PinnedValue* value,
                                const ReadOptions& options) const {
  const WithoutPerfCounters off;
  const rocksdb::Status status =
      db_->Get(ToRocksOptions(options), db_->DefaultColumnFamily(), ToSlice(key.bytes()), value);
  if (status.IsNotFound()) return false;
  if (!status.ok()) return FromRocks(status, "reading");
  return true;
}

Status Store::MultiGet(std::span<const EncodedKey> keys, std::span<PinnedValue> values,
                       std::vector<bool>* found, const Snapshot* snapshot) const {
  if (row_cache_ != nullptr && snapshot == nullptr) {
    // The cached rows are of one state if no write has become visible between their reads.
    RowCache::Reader reader(*row_cache_);
    const std::uint64_t sequence = LatestSequence();
    const bool is_cached = reader.GetAll(keys, values, found) && LatestSequence() == sequence;
    is_cached ? reader.CountHit() : reader.CountMiss();
    if (is_cached) return {};
    for (PinnedValue& value : values) value.Reset();
  }
  std::vector<rocksdb::Slice> slices;
  slices.reserve(keys.size());
  for (const EncodedKey& key : keys) slices.push_back(ToSlice(key.bytes()));
  std::vector<rocksdb::Status> statuses(keys.size());
  db_->MultiGet(ToRocksOptions({.snapshot = snapshot}), db_->DefaultColumnFamily(), keys.size(),
                slices.data(), values.data(), statuses.data());
  found->assign(keys.size(), false);
  for (std::size_t i = 0; i < keys.size(); ++i) {
    if (statuses[i].IsNotFound()) continue;
    if (!statuses[i].ok()) return FromRocks(statuses[i], "reading");
    (*found)[i] = true;
  }
  return {};
}

std::uint64_t Store::ApproximateBytes(const KeyRange& range) const {
  rocksdb::SizeApproximationOptions options;
  options.include_memtables = true;
  return EstimateBytes(range, options);
}

std::uint64_t Store::FileBytes(const KeyRange& range) const { return EstimateBytes(range, {}); }

std::uint64_t Store::EstimateBytes(const KeyRange& range,
                                   const rocksdb::SizeApproximationOptions& options) const {
  const rocksdb::Range rocks_range = ToRange(range);
  std::uint64_t bytes = 0;
  // Ignores errors: the estimate is then 0.
  db_->GetApproximateSizes(options, db_->DefaultColumnFamily(), &rocks_range, 1, &bytes)
      .PermitUncheckedError();
  return bytes;
}

std::uint64_t Store::EntriesInMemory(const KeyRange& range) const {
  std::uint64_t entries = 0;
  std::uint64_t bytes = 0;
  db_->GetApproximateMemTableStats(ToRange(range), &entries, &bytes);
  return entries;
}

// RocksDB estimates the bytes between two keys from the positions of their blocks, which the files'
// index blocks contain. The estimate is 0 as long as both keys lie in the same block. The first key
// with a greater estimate therefore lies in the next block.
std::optional<EncodedKey> Store::StartOfNextBlock(const KeyRange& range) const {
  return FirstKeyPastBorder(range, [&](const EncodedKey& key) {
    return FileBytes({range.lower, key}) > 0;
  });
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
  // Ignores the error if a compaction has deleted the file meanwhile.
  const std::vector<TableFile> live = TableFiles();
  const bool is_live = std::any_of(live.begin(), live.end(),
                                   [&](const TableFile& one) { return one.name == file.name; });
  return is_live ? FromRocks(read, "reading " + file.name.substr(1)) : Status();
}

Result<DatabaseStats> Store::Stats() const {
  const auto property = [&](const std::string& name) {
    std::uint64_t value = 0;
    db_->GetIntProperty(name, &value);  // cannot fail: RocksDB knows each of these properties
    return value;
  };
  DatabaseStats stats;
  stats.write_buffer_bytes = property(rocksdb::DB::Properties::kSizeAllMemTables);
  stats.cache_bytes = property(rocksdb::DB::Properties::kBlockCacheUsage);
  stats.pending_compaction_bytes =
      property(rocksdb::DB::Properties::kEstimatePendingCompactionBytes);
  if (row_cache_ != nullptr) row_cache_->AddTo(&stats);
  rocksdb::ColumnFamilyMetaData files;
  db_->GetColumnFamilyMetaData(&files);
  if (memory_ != nullptr) {
    stats.memory_table_bytes = files.size;
    return stats;
  }
  stats.table_files = files.file_count;
  stats.table_file_bytes = files.size;
  rocksdb::VectorLogPtr logs;
  const rocksdb::Status listed = db_->GetSortedWalFiles(logs);
  if (!listed.ok()) return FromRocks(listed, "listing the logs");
  for (const auto& log : logs) stats.log_bytes += log->SizeFileBytes();
  return stats;
}

Status Store::CheckWritable() const {
  return read_only_ ? Status::Validation(
                          "the database is open for reading only: open it with read_only = false")
                    : Status();
}

Status Store::CheckNotFailed() const {
  if (!process_.IsInOwnProcess()) return internal::RefusedAfterFork();
  return failed_.load(std::memory_order_relaxed)
             ? Status::Storage(
                   "writing: an earlier write failed: close the database and open it again")
             : Status();
}

Status Store::CheckCanFlush() const {
  DOLMEN_RETURN_IF_ERROR(CheckWritable());
  DOLMEN_RETURN_IF_ERROR(CheckNotFailed());
  return free_space_ != nullptr ? free_space_->CheckLimits() : Status();
}

Status Store::Write(WriteBatch&& batch, WriteDurability durability) {
  DOLMEN_RETURN_IF_ERROR(CheckWritable());
  if (!batch.status_.ok()) return FromRocks(batch.status_, "writing");
  DOLMEN_RETURN_IF_ERROR(CheckNotFailed());
  if (batch.empty()) return {};
  if (free_space_ != nullptr) DOLMEN_RETURN_IF_ERROR(CheckSpace(batch));
  rocksdb::WriteOptions options = write_options_;
  if (durability == WriteDurability::kLater) options.sync = false;
  rocksdb::Status status;
  if (options.sync) status = batch.batch_.PutLogData(kSyncMark);
  const std::span<const WrittenRow> rows(batch.rows_.data(), batch.rows_.size());
  RowCache::Write cached(row_cache_.get(), batch.batch_.Data(), rows, batch.deleted_ranges_);
  const WithoutPerfCounters off;
  if (status.ok()) status = db_->Write(options, &batch.batch_);
  if (!status.ok()) return KeepWriteFailure(status);
  cached.Commit();
  if (batch.only_deletes_) deleted_space_.Note(batch.deleted_ranges_);
  return {};
}

Status Store::CheckSpace(const WriteBatch& batch) {
  Status checked = free_space_->Check(batch.batch_.GetDataSize(), batch.only_deletes_);
  if (!checked.ok() && free_space_->CheckLimits().ok()) deleted_space_.Free(db_.get());
  return checked;
}

// Does not call RocksDB's Resume(). In 7.8.3 Resume() may never return while the disk is still
// full. After Resume(), the next write may go to the log that failed, and RocksDB's assertions
// then abort the process.
Status Store::KeepWriteFailure(const rocksdb::Status& status) {
  Status failure =
      status.IsPathNotFound()
          ? Status::Storage("writing: the database's directory does not exist any more: " +
                            status.ToString())
          : FromRocks(status, "writing");
  std::call_once(failure_once_, [&] {
    failure_ = failure;
    failed_.store(true, std::memory_order_release);
    if (small_files_ != nullptr) small_files_->Stop();
  });
  return failure;
}

Status Store::WriteFailure() const {
  return failed_.load(std::memory_order_acquire) ? failure_ : Status();
}

Status Store::CheckCopy(const std::string& to) const {
  DOLMEN_RETURN_IF_ERROR(CheckWritable());
  DOLMEN_RETURN_IF_ERROR(CheckNotFailed());
  if (memory_ != nullptr || !IsInDirectory(to, directory_)) return {};
  return Status::Validation("the directory " + to +
                            " of the copy is in the database's directory: choose another one");
}

Result<std::shared_ptr<const MemoryDirectory>> Store::Image() {
  DOLMEN_RETURN_IF_ERROR(CheckCanFlush());
  const std::shared_lock copying(copying_);
  return forks_->Image();
}

Status Store::ForkTo(const std::string& directory) {
  DOLMEN_RETURN_IF_ERROR(CheckCopy(directory));
  return CopyInto(directory);
}

Status Store::CopyInto(const std::string& directory) {
  DOLMEN_RETURN_IF_ERROR(CheckCanFlush());
  const std::shared_lock copying(copying_);
  return forks_->CreateDatabase(PlaceOf(directory));
}

Result<CopyOutput> Store::Backup(CopyPlace place, const CopyProgressHandler& progress) {
  DOLMEN_RETURN_IF_ERROR(CheckCopy(place.directory));
  const std::shared_lock copying(copying_);
  BackupSource source{.db = db_.get(), .has_logs = memory_ == nullptr};
  if (files_ != nullptr) source.logs = files_->LogsNow();
  if (!place.encryption_key) place.encryption_key = encryption_key_;
  return WriteBackup(source, place, progress);
}

Status Store::CheckFiles() const {
  DOLMEN_RETURN_IF_ERROR(CheckWritable());
  DOLMEN_RETURN_IF_ERROR(WriteFailure());
  std::uint64_t failed_jobs = 0;
  if (db_->GetIntProperty(rocksdb::DB::Properties::kBackgroundErrors, &failed_jobs) &&
      failed_jobs > 0) {
    return Status::Storage(
        "writing: a flush or a compaction failed in the background, so the next write may fail: "
        "check the disk, close the database and open it again");
  }
  if (free_space_ == nullptr) return {};  // the files are in memory
  if (!lock_->IsInPlace()) {
    return Status::Storage("writing: the database's directory was deleted or moved");
  }
  return free_space_->Query(0, false).status();
}

Status Store::Sync() {
  DOLMEN_RETURN_IF_ERROR(CheckNotFailed());
  return memory_ != nullptr ? Status() : FromRocks(db_->SyncWAL(), "writing");
}

Status Store::CheckCanWrite(std::size_t bytes) {
  DOLMEN_RETURN_IF_ERROR(CheckCanFlush());
  return free_space_ != nullptr ? free_space_->Check(bytes, false) : Status();
}

// RocksDB lists the files in the manifest at once. So the writes must be on the disk that mark their keys as those of a
// table that does not exist yet: the next opening would otherwise give these keys to another table.
Status Store::AddTableFiles(const std::vector<std::string>& paths, WriteBatch&& batch) {
  DOLMEN_RETURN_IF_ERROR(CheckCanFlush());
  const std::lock_guard no_copies(copying_);
  if (!paths.empty()) {
    DOLMEN_RETURN_IF_ERROR(Sync());
    rocksdb::Status added = Ingest(paths);
    if (added.IsInvalidArgument()) {
      // A compaction writes a file whose range contains these keys, though it has none of them.
      added = db_->PauseBackgroundWork();
      if (added.ok()) added = Ingest(paths);
      db_->ContinueBackgroundWork().PermitUncheckedError();
    }
    if (added.IsInvalidArgument()) return FromRocks(added, "adding table files");
    if (!added.ok()) return KeepWriteFailure(added);
  }
  return Write(std::move(batch));
}

rocksdb::Status Store::Ingest(const std::vector<std::string>& paths) {
  rocksdb::IngestExternalFileOptions options;
  options.move_files = true;
  options.snapshot_consistency = false;  // no snapshot reads these keys
  // An InvalidArgument in place of a number of a write, which no log would have.
  options.allow_global_seqno = false;
  options.allow_blocking_flush = false;
  options.verify_checksums_before_ingest = true;  // a file system may have damaged them since
  // After an error of a file RocksDB may not know which files the manifest lists. So nothing is deleted until the next
  // opening.
  if (rocksdb::Status disabled = db_->DisableFileDeletions(); !disabled.ok()) return disabled;
  if (files_ != nullptr) files_->BeginToKeepTableFiles();
  const rocksdb::Status added = db_->IngestExternalFile(paths, options);
  if (!added.ok() && !added.IsInvalidArgument()) return added;
  if (files_ != nullptr) files_->EndToKeepTableFiles();
  EnableFileDeletions(db_.get()).PermitUncheckedError();
  return added;
}

Status Store::Compact() {
  DOLMEN_RETURN_IF_ERROR(CheckCanFlush());
  rocksdb::CompactRangeOptions options;
  // Makes RocksDB rewrite the last level, too. By default RocksDB does not rewrite this level, and
  // the overwritten data in it would keep its space.
  options.bottommost_level_compaction = rocksdb::BottommostLevelCompaction::kForceOptimized;
  return FromRocks(db_->CompactRange(options, nullptr, nullptr), "compacting");
}

}  // namespace dolmen::engine
