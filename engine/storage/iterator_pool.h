// A pool of RocksDB iterators. Creating an iterator costs as much as reading ten rows.
//
// An iterator pins the files and memtables that the database had when the iterator was created. So
// the pool drops its idle iterators whenever RocksDB has flushed a memtable or compacted files.

#pragma once

#include <rocksdb/db.h>
#include <rocksdb/iterator.h>
#include <rocksdb/listener.h>

#include <cstdint>
#include <memory>
#include <vector>

#include "engine/base/mutex.h"
#include "engine/key/encoded_key.h"

namespace dolmen::engine {

// A RocksDB iterator and its bounds. The bounds may change before a seek, because RocksDB reads the
// bounds again during each seek: in LevelIterator::CheckMayBeOutOfLowerBound and in
// BlockBasedTableIterator::CheckDataBlockWithinUpperBound. MyRocks changes the bounds of its
// iterators in the same way. For one thread at a time.
class BoundedIterator {
 public:
  // Creates an iterator with the bounds of this object. Ignores the bounds in `options`.
  BoundedIterator(rocksdb::DB& db, rocksdb::ReadOptions options);
  BoundedIterator(const BoundedIterator&) = delete;
  BoundedIterator& operator=(const BoundedIterator&) = delete;

  // Sets the bounds, which take effect at the next seek. The caller must seek before it reads.
  void SetRange(const KeyRange& range);

  rocksdb::Iterator& iterator() { return *iterator_; }

 private:
  friend class IteratorPool;

  KeyRange range_;
  rocksdb::Slice lower_;
  rocksdb::Slice upper_;
  std::unique_ptr<rocksdb::Iterator> iterator_;
  std::uint64_t generation_ = 0;  // the pool's generation when the iterator was acquired
};

// A pool of idle iterators. RocksDB notifies the pool when files are replaced, so the database
// must be opened with the pool as a listener. Callable from any number of threads.
class IteratorPool : public rocksdb::EventListener {
 public:
  // Returns an iterator that sees everything written before the call.
  std::unique_ptr<BoundedIterator> Acquire(rocksdb::DB& db);
  // Takes an iterator back for later use. Destroys the iterator instead if the iterator has an
  // error, if files were replaced after Acquire(), or if the pool is full. REQUIRES: `iterator`
  // came from Acquire()
  void Release(std::unique_ptr<BoundedIterator> iterator);

  // Destroys the idle iterators now. Release() later destroys the iterators that are in use now.
  // The owner of the database calls this before it closes the database, when no cursor is left.
  void DropIdle();

  void OnFlushCompleted(rocksdb::DB*, const rocksdb::FlushJobInfo&) override { DropIdle(); }
  void OnCompactionCompleted(rocksdb::DB*, const rocksdb::CompactionJobInfo&) override {
    DropIdle();
  }

 private:
  using Idle = std::vector<std::unique_ptr<BoundedIterator>>;

  // Removes and returns an idle iterator, or null if no iterator is idle. Sets `*generation` to
  // the pool's generation.
  std::unique_ptr<BoundedIterator> PopIdle(std::uint64_t* generation);

  Mutex mutex_;
  Idle idle_ DOLMEN_GUARDED_BY(mutex_);
  std::uint64_t generation_ DOLMEN_GUARDED_BY(mutex_) =
      0;  // number of times that files were replaced
};

}  // namespace dolmen::engine
