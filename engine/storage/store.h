// A small interface to RocksDB: keys and values in one ordered space, atomic batches, cursors over
// a range. The folders above this one give the keys and values a meaning.

#pragma once

#include <rocksdb/db.h>

#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <shared_mutex>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "dolmen/backup.h"
#include "dolmen/result.h"
#include "dolmen/stats.h"
#include "engine/base/own_process.h"
#include "engine/key/encoded_key.h"
#include "engine/storage/backup/backup_directory.h"
#include "engine/storage/cache/row_cache.h"
#include "engine/storage/deleted_space.h"
#include "engine/storage/files/database_files.h"
#include "engine/storage/files/directory_lock.h"
#include "engine/storage/files/free_space.h"
#include "engine/storage/fork/forks.h"
#include "engine/storage/iterator_pool.h"
#include "engine/storage/options.h"
#include "engine/storage/small_files.h"
#include "engine/storage/write_batch.h"

namespace dolmen::engine {

// A value that was read. RocksDB owns the value's memory, and the PinnedValue pins it. Must not
// outlive its Store.
using PinnedValue = rocksdb::PinnableSlice;

// A table file of RocksDB, which holds keys and values.
struct TableFile {
  std::string name;  // path below the database's directory, such as "/000012.sst"
  std::uint64_t bytes = 0;
};

class Store;

// The state that a store had when the Snapshot was created. All reads that use the Snapshot see
// this state. Threads may share a Snapshot. Must not outlive its Store.
class Snapshot {
 public:
  explicit Snapshot(const Store& store);
  ~Snapshot();
  Snapshot(const Snapshot&) = delete;
  Snapshot& operator=(const Snapshot&) = delete;

 private:
  friend class Store;
  friend class Cursor;
  const Store& store_;
  const rocksdb::Snapshot* snapshot_;
};

// The durability that a write has when Store::Write returns.
// - kAsOpened: the durability that StoreOptions::sync asks for.
// - kLater: the write survives a crash of the process. A crash of the machine may lose it,
//   together with every later write that was not synced.
enum class WriteDurability : std::uint8_t { kAsOpened, kLater };

// Options of reads.
struct ReadOptions {
  const Snapshot* snapshot = nullptr;  // null: the latest state; must outlive the read or cursor
  // False: blocks that are read do not enter the block cache. A long background read would
  // otherwise evict the blocks that other readers use.
  bool fills_cache = true;
  // True: Store::Get may add the row to the row cache. A cursor ignores this option.
  bool fills_row_cache = false;
  // True: a cursor reads only the rows in memory, which no table file holds yet. It ignores all
  // rows in table files. Store::Get ignores this option.
  bool memory_only = false;
  // The number of deleted and overwritten keys that a cursor may pass over in one step. A cursor
  // that would pass over more ends with an error. 0: no limit.
  std::size_t passed_over_max = 0;

  // Returns true if every option has its default value.
  bool IsDefault() const {
    return snapshot == nullptr && fills_cache && !memory_only && passed_over_max == 0;
  }
};

// An open RocksDB database. Methods are callable from any number of threads.
class Store {
 public:
  // Opens the database. Creates it if it does not exist, unless options.read_only.
  // - kResourceInUse: the database is open already, in this process or in another.
  // - kCorruption: a file is damaged or absent.
  // - kStorage: a file cannot be read or written.
  // REQUIRES: PrepareDirectory() has accepted the directory, unless options.in_memory.
  static Result<std::unique_ptr<Store>> Open(const StoreOptions& options);

  ~Store();
  Store(const Store&) = delete;
  Store& operator=(const Store&) = delete;

  // Reads the value of a key into `*value`. Returns false if the key does not exist. The value
  // lives until `*value` is reset, read into again, or destroyed.
  // - kCorruption, kStorage: a file cannot be read.
  Result<bool> Get(const EncodedKey& key, PinnedValue* value, const ReadOptions& options) const;
  Result<bool> Get(const EncodedKey& key, PinnedValue* value,
                   const Snapshot* snapshot = nullptr) const {
    return Get(key, value, ReadOptions{.snapshot = snapshot});
  }

  // Reads the values of many keys in one state of the store. Sets (*found)[i] to true if keys[i]
  // exists, and then sets values[i] to the value of this key.
  // - kCorruption, kStorage: a file cannot be read.
  // REQUIRES: values.size() == keys.size()
  Status MultiGet(std::span<const EncodedKey> keys, std::span<PinnedValue> values,
                  std::vector<bool>* found, const Snapshot* snapshot = nullptr) const;

  // Checks that the store was opened for writing. Every operation that writes calls this first, so
  // that a read-only store rejects the operation even if it has nothing to write. Ignores earlier
  // failed writes.
  // - kValidation: the store was opened with read_only.
  Status CheckWritable() const;

  // Writes the batch. After an error nothing of the batch is visible until the store is reopened.
  // The failed batch may be visible then. So even an empty batch is rejected after a failure: its
  // caller may have found that an item does not exist which the failed batch holds.
  // - kValidation: the store was opened with read_only.
  // - kStorage: the disk is almost full, so Write did not try to write. A later call succeeds once
  //   the disk has enough free space.
  // - kStorage, kCorruption: RocksDB failed to write, for example because the disk became full
  //   suddenly. The store is read-only until it is reopened.
  Status Write(WriteBatch&& batch, WriteDurability durability = WriteDurability::kAsOpened);

  // Returns the sequence number of the latest visible write. A write increases the number by the
  // number of its operations, at the moment when the write becomes visible.
  std::uint64_t LatestSequence() const { return db_->GetLatestSequenceNumber(); }

  // Return an estimate of the bytes that the range takes. FileBytes counts compressed bytes in
  // table files. ApproximateBytes also counts bytes in memory. The estimate for files is exact to
  // one block per file. The estimate for memory may be several times too high or too low.
  std::uint64_t ApproximateBytes(const KeyRange& range) const;
  std::uint64_t FileBytes(const KeyRange& range) const;
  // Returns an estimate of the number of the range's entries in memory. Counts overwritten values
  // and deletions, too. The estimate may be several times too high or too low, but never exceeds
  // the number of all entries in memory.
  std::uint64_t EntriesInMemory(const KeyRange& range) const;

  // Returns the first key of the range that lies in a different block of a table file than the
  // range's start. Returns nothing if the whole range lies in one block. A reader resumes at the
  // returned key after a block that cannot be read. Takes about a millisecond. If files are
  // replaced meanwhile, the result may be a later key or the range's end.
  std::optional<EncodedKey> StartOfNextBlock(const KeyRange& range) const;

  // Returns the table files that the database has now. The logs are not among them.
  std::vector<TableFile> TableFiles() const;
  // Reads the whole file from the disk, not from the cache, and checks its checksums. Returns ok
  // if a compaction has deleted the file.
  // - kCorruption: a checksum is wrong, or the file is absent for any other reason.
  // - kStorage: the file cannot be read.
  Status CheckFile(const TableFile& file) const;

  // Returns the error of the first write that made the store read-only (see Write), or ok.
  Status WriteFailure() const;

  // Checks that the next write can succeed.
  // - kValidation: the store is read-only, as CheckWritable reports.
  // - kStorage: a write has failed (WriteFailure), a flush or a compaction has failed in the
  //   background, the directory was deleted or moved, or the disk is full.
  Status CheckFiles() const;

  // Returns the statistics of the store. Leaves the number of tables unset.
  // - kStorage: the directory cannot be read.
  Result<DatabaseStats> Stats() const;

  // Returns the row cache, or null if it is turned off. Readers of ranges use it (read_page.cc).
  RowCache* row_cache() const { return row_cache_.get(); }
  // Returns StoreOptions::checks_row_cache, or false if the row cache is turned off.
  bool checks_row_cache() const { return row_cache_ != nullptr && row_cache_->checks_reads(); }

  // Return the files of a fork in memory, or create a fork on the disk (forks.h).
  // - kValidation: the store was opened with read_only.
  // - kStorage: an earlier write failed, so it is unknown which writes the log holds.
  Result<std::shared_ptr<const MemoryDirectory>> Image();
  Status ForkTo(const std::string& directory);
  // Creates a copy as ForkTo does, in a directory that may lie in the directory of the store.
  Status CopyInto(const std::string& directory);

  const std::string& directory() const { return directory_; }
  // Returns the place of files of the store in a directory. They are encrypted if the store is, and in
  // its file system.
  CopyPlace PlaceOf(const std::string& directory) const {
    return {.directory = directory, .file_system = file_system_, .encryption_key = encryption_key_};
  }

  bool is_in_memory() const { return memory_ != nullptr; }

  // Returns the block cache, which a fork shares.
  const std::shared_ptr<rocksdb::Cache>& block_cache() const { return block_cache_; }

  // Copies the store into the directory of a backup. Other threads may read and write meanwhile.
  // A place without a key gets the key of the store. Contract and errors: Database::Backup.
  Result<CopyOutput> Backup(CopyPlace place, const CopyProgressHandler& progress);

  // Brings all writes to the disk.
  // - kStorage: a file cannot be written, or an earlier write failed.
  Status Sync();

  // Adds table files that somebody else has written with FileOptions() (load/table_load.h) on the same volume, and then
  // writes the batch. A copy of the store (Backup, ForkTo, CopyInto, Image) has both or neither. Brings all earlier
  // writes to the disk first, and waits for the copies that are being made. The files are on the disk when the function
  // returns, and are moved from their paths. After an error neither is visible until the store is reopened. If the
  // error is of a file, the store is read-only until then.
  // - kStorage: a file cannot be moved, an earlier write failed, or a compaction did not let the files in.
  // REQUIRES: the store has never had a key between the first and the last key of the files, and no key is in two files.
  Status AddTableFiles(const std::vector<std::string>& paths, WriteBatch&& batch);
  // Returns the options for such files. They are valid as long as this object.
  rocksdb::Options FileOptions() const { return db_->GetOptions(); }
  // Checks that the store can be written, and that the disk has the space for so many bytes.
  // - kValidation, kStorage: as Write.
  Status CheckCanWrite(std::size_t bytes);

  // Rewrites all data: removes overwritten and deleted data, and moves every key to the last level.
  // Other threads may read and write meanwhile.
  // - kCorruption, kStorage: a file cannot be read or written.
  Status Compact();

 private:
  friend class Cursor;
  friend class Snapshot;
  Store() = default;
  // Keeps what cannot be closed (rocks_process.h, rocks_versions.h).
  void LeaveToTheEndOfTheProcess();
  // Locks and checks the directory, and sets files_ and env_.
  Status PrepareFiles(const StoreOptions& options);
  // Returns the error of a call that needs a store that can be written. A child of fork(2) gets one, too: it comes here
  // if a handler of the program has forked and returned twice.
  Status CheckNotFailed() const;
  // Like CheckNotFailed, for a call that flushes. RocksDB would be read-only after a flush that fails.
  Status CheckCanFlush() const;
  // Reads a value from RocksDB.
  Result<bool> GetUncached(const EncodedKey& key, PinnedValue* value,
                           const ReadOptions& options) const;
  // Compares a row that `reader` has found with RocksDB (RowCache::checks_reads()).
  Status CheckCached(const EncodedKey& key, bool exists, const PinnedValue& value,
                     const RowCache::Reader& reader) const;
  // Reads a value from RocksDB, and adds it to the row cache.
  Result<bool> GetAndFill(const EncodedKey& key, PinnedValue* value,
                          const ReadOptions& options) const;
  // Checks that the store can be copied to the directory `to`. A store whose write has failed cannot:
  // it is unknown which writes its log holds.
  Status CheckCopy(const std::string& to) const;
  // Stores the failure if it is the first one. The first failure makes the store read-only.
  // Returns the failure of this write.
  Status KeepWriteFailure(const rocksdb::Status& status);
  static rocksdb::ReadOptions ToRocksOptions(const ReadOptions& options);
  // Checks that the disk has the space for the batch. After deletions, a batch that does not fit
  // makes RocksDB free the space of the deleted data, in the background.
  Status CheckSpace(const WriteBatch& batch);
  // Adds the files, for AddTableFiles.
  rocksdb::Status Ingest(const std::vector<std::string>& paths);
  // Returns RocksDB's estimate of the range's size in bytes.
  std::uint64_t EstimateBytes(const KeyRange& range,
                              const rocksdb::SizeApproximationOptions& options) const;

  const internal::OfOwnProcess process_;
  std::string directory_;
  std::optional<EncryptionKey> encryption_key_;
  std::shared_ptr<rocksdb::FileSystem> file_system_;  // null: that of the operating system
  // The order of the members matters. A member may use the members that are declared before it, and
  // they are destroyed after it.
  std::optional<DirectoryLock> lock_;              // nothing if the files are in memory
  std::shared_ptr<DatabaseFiles> files_;           // null if the files are in memory
  std::shared_ptr<const MemoryDirectory> memory_;  // null: the files are on the disk
  std::unique_ptr<rocksdb::Env> env_;              // of memory_, or of files_
  std::shared_ptr<rocksdb::Cache> block_cache_;
  std::unique_ptr<RowCache> row_cache_;  // null: turned off
  std::shared_ptr<IteratorPool> iterators_ = std::make_shared<IteratorPool>();
  std::shared_ptr<SmallFiles> small_files_;  // null in memory, and with read_only
  std::unique_ptr<rocksdb::DB> db_;
  rocksdb::WriteOptions write_options_;
  bool read_only_ = false;
  std::shared_ptr<FreeSpace> free_space_;  // null in memory, and with read_only
  std::optional<Forks> forks_;
  DeletedSpace deleted_space_;
  // Held by AddTableFiles alone, and shared by copies of the store.
  std::shared_mutex copying_;
  std::once_flag failure_once_;
  Status failure_;                    // the first failure; constant once failed_ is true
  std::atomic<bool> failed_ = false;  // true once a write failed
};

}  // namespace dolmen::engine
