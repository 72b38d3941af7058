// RocksDB behind one small interface: keys and values in one ordered space, atomic batches, cursors
// over a range.  What the keys and values mean is for the rooms above.

#pragma once

#include <rocksdb/db.h>
#include <rocksdb/write_batch.h>

#include <atomic>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>

#include "dolmen/result.h"
#include "engine/key/encoded_key.h"
#include "engine/storage/free_space.h"
#include "engine/storage/options.h"

namespace dolmen::engine {

// Writes that are done together or not at all.
class WriteBatch {
 public:
  void Put(const EncodedKey& key, std::string_view value);
  void Delete(const EncodedKey& key);
  bool empty() const { return batch_.Count() == 0; }

 private:
  friend class Store;
  void Keep(const rocksdb::Status& status) {
    if (status_.ok()) status_ = status;
  }

  rocksdb::WriteBatch batch_;
  rocksdb::Status status_;  // the first that was not ok; Store::Write returns it
};

// A value that was read, in the memory in which RocksDB holds it.  Must not outlive its Store.
using PinnedValue = rocksdb::PinnableSlice;

// Methods may be called from any number of threads.
class Store {
 public:
  static Result<std::unique_ptr<Store>> Open(const StoreOptions& options);

  Store(const Store&) = delete;
  Store& operator=(const Store&) = delete;

  // Whether there is a value; if so it is in `*value`, until that is reset or read into again.
  Result<bool> Get(const EncodedKey& key, PinnedValue* value) const;

  // After an error nothing of the batch can be read.  kStorage because the disk is full: a later
  // call succeeds once there is space.  Any other error, or the disk became full all of a sudden:
  // the store is good for reading only, and has to be opened again.
  Status Write(WriteBatch batch);

  // Rewrites all that is stored: nothing overwritten or deleted is left of it, and every key is on
  // the last level.  Reads and writes go on meanwhile.
  Status Compact();

 private:
  friend class Cursor;
  Store() = default;

  std::unique_ptr<rocksdb::Env> memory_;  // the files, if in memory; outlives db_
  std::unique_ptr<rocksdb::Env> wrapped_;
  std::unique_ptr<rocksdb::DB> db_;
  rocksdb::WriteOptions write_options_;
  std::unique_ptr<FreeSpace> free_space_;  // null in memory
  std::atomic<bool> failed_ = false;       // a write failed
};

// Walks the keys of a range in order, over the state at the time at which it was made.  For one
// thread; must not outlive its Store.
class Cursor {
 public:
  Cursor(const Store& store, KeyRange range);
  Cursor(const Cursor&) = delete;
  Cursor& operator=(const Cursor&) = delete;

  void SeekToFirst() { iterator_->SeekToFirst(); }
  void SeekToLast() { iterator_->SeekToLast(); }

  // False at the end of the range, and after an error, which status() tells.
  bool Valid() const { return iterator_->Valid(); }
  Status status() const;

  // REQUIRES: Valid()
  void Next() { iterator_->Next(); }
  void Previous() { iterator_->Prev(); }

  // Live until the cursor moves.  REQUIRES: Valid()
  std::string_view key() const { return iterator_->key().ToStringView(); }
  std::string_view value() const { return iterator_->value().ToStringView(); }

 private:
  KeyRange range_;  // the iterator looks at these bytes
  rocksdb::Slice lower_;
  rocksdb::Slice upper_;
  std::unique_ptr<rocksdb::Iterator> iterator_;
};

}  // namespace dolmen::engine
