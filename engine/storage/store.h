// RocksDB behind one small interface: keys and values in one ordered space, atomic batches, cursors
// over a range.  What the keys and values mean is for the rooms above.

#pragma once

#include <rocksdb/db.h>
#include <rocksdb/write_batch.h>

#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "dolmen/result.h"
#include "dolmen/stats.h"
#include "engine/key/encoded_key.h"
#include "engine/storage/directory_lock.h"
#include "engine/storage/free_space.h"
#include "engine/storage/kept_iterators.h"
#include "engine/storage/options.h"
#include "engine/storage/page_starts.h"

namespace dolmen::engine {

// Writes that are done together or not at all.
class WriteBatch {
 public:
  void Put(const EncodedKey& key, std::string_view value);
  void Delete(const EncodedKey& key);
  void DeleteRange(const KeyRange& range);
  bool empty() const { return count() == 0; }
  std::size_t count() const { return static_cast<std::size_t>(batch_.Count()); }

 private:
  friend class Store;
  void Keep(const rocksdb::Status& status) {
    if (status_.ok()) status_ = status;
  }

  // Room for a few items, so that it is not doubled on the way there.
  static constexpr std::size_t kUsualBytes = 1024;

  rocksdb::WriteBatch batch_{kUsualBytes};
  rocksdb::Status status_;  // the first that was not ok; Store::Write returns it
};

// A value that was read, in the memory in which RocksDB holds it.  Must not outlive its Store.
using PinnedValue = rocksdb::PinnableSlice;

class Store;

// The state of a store at the time at which it was made, for reads that belong together.  Must not
// outlive its Store.
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

// A file of RocksDB's that holds keys and values.
struct TableFile {
  std::string name;  // of the directory, "/000012.sst"
  std::uint64_t bytes = 0;
};

// When Store::Write returns: once the write is as durable as the store's options say, or at once.
// What is written at once may be lost with the machine, and then so is all that was written later.
enum class WriteDurability : std::uint8_t { kAsOpened, kLater };

// How keys and values are read.
struct ReadOptions {
  const Snapshot* snapshot = nullptr;  // null: the latest state
  // False: what is read is not kept in the cache, which many rows that nobody waits for would empty
  // of what others read again and again.
  bool fills_cache = true;
  // True: only of what no table file has yet; what deletes a row of a file does nothing here.
  bool memory_only = false;
  // How many deleted and overwritten keys a cursor may pass over in one step, or it ends with an
  // error; 0: as many as there are.
  std::size_t passed_over_max = 0;

  bool IsUsual() const {
    return snapshot == nullptr && fills_cache && !memory_only && passed_over_max == 0;
  }
};

// Methods may be called from any number of threads.
class Store {
 public:
  // kResourceInUse: it is open already, here or in another process.
  static Result<std::unique_ptr<Store>> Open(const StoreOptions& options);

  ~Store();
  Store(const Store&) = delete;
  Store& operator=(const Store&) = delete;

  // Whether there is a value; if so it is in `*value`, until that is reset or read into again.
  Result<bool> Get(const EncodedKey& key, PinnedValue* value, const ReadOptions& options) const;
  Result<bool> Get(const EncodedKey& key, PinnedValue* value,
                   const Snapshot* snapshot = nullptr) const {
    return Get(key, value, ReadOptions{.snapshot = snapshot});
  }

  // The same for many keys, all in one state.  `values` are as many; `found` is set to which of
  // them there are.
  Status MultiGet(std::span<const EncodedKey> keys, std::span<PinnedValue> values,
                  std::vector<bool>* found, const Snapshot* snapshot = nullptr) const;

  // kValidation: it was opened read_only.  One of which a write has failed passes.  All that writes
  // asks first, so that it is refused also where it would find nothing to write.
  Status CheckWritable() const;

  // After an error nothing of the batch can be read.  kStorage because the disk is full: a later
  // call succeeds once there is space.  Any other error, or the disk became full all of a sudden:
  // the store is good for reading only, and has to be opened again.
  Status Write(WriteBatch batch, WriteDurability durability = WriteDurability::kAsOpened);

  // Grows by the number of a batch's operations when that is written, and not before it can be
  // read.
  std::uint64_t LatestSequence() const { return db_->GetLatestSequenceNumber(); }

  // How many bytes the range takes, in table files, compressed, and in memory; an estimate, which
  // is good for files (to a block of each) and may be off by several times for memory.
  std::uint64_t ApproximateBytes(const KeyRange& range) const;
  std::uint64_t FileBytes(const KeyRange& range) const;
  // How many entries of the range memory has, values that have been overwritten and deletions
  // included; as rough, but never more than it has of all ranges.
  std::uint64_t EntriesInMemory(const KeyRange& range) const;

  // A range's first key that is in another block of a table file than the range's begin; nothing if
  // there is none.  So who can't read a block finds out where to go on, which takes a millisecond.
  // Where files are replaced meanwhile, it may be a later key, or the range's end.
  std::optional<EncodedKey> StartOfNextBlock(const KeyRange& range) const;

  // The files that hold what is written, as of now; but for the log.
  std::vector<TableFile> TableFiles() const;
  // Reads all of the file, and not what the cache has of it.  kCorruption: a checksum is wrong, or
  // there is no such file although there should be.
  Status CheckFile(const TableFile& file) const;

  // How the first write failed after which the store has to be opened again (Write); ok if none
  // has.
  Status WriteFailure() const;

  // All but the number of tables.  kStorage: the directory can't be read.
  Result<DatabaseStats> Stats() const;

  // What backward cursors remember.
  PageStarts& page_starts() const { return page_starts_; }

  // Rewrites all that is stored: nothing overwritten or deleted is left of it, and every key is on
  // the last level.  Reads and writes go on meanwhile.
  Status Compact();

 private:
  friend class Cursor;
  friend class Snapshot;
  Store() = default;
  Status Fail(const rocksdb::Status& status);
  static rocksdb::ReadOptions ToRocks(const ReadOptions& options);
  std::uint64_t SizeOf(const KeyRange& range,
                       const rocksdb::SizeApproximationOptions& options) const;

  std::string directory_;
  // Each of these uses those above it until it is destroyed.
  std::unique_ptr<rocksdb::Env> memory_;  // the files, if in memory
  std::unique_ptr<rocksdb::Env> wrapped_;
  std::optional<DirectoryLock> lock_;  // of a store that RocksDB does not lock
  mutable PageStarts page_starts_;
  std::shared_ptr<KeptIterators> iterators_ = std::make_shared<KeptIterators>();
  std::unique_ptr<rocksdb::DB> db_;
  rocksdb::WriteOptions write_options_;
  bool read_only_ = false;
  std::unique_ptr<FreeSpace> free_space_;  // null in memory, and if nothing is written
  std::once_flag fails_;
  Status failure_;                    // of the first write that failed; once failed_, never changed
  std::atomic<bool> failed_ = false;  // a write failed
};

}  // namespace dolmen::engine
