// RocksDB's iterators, used again: making one costs as much as reading ten rows.
//
// An iterator holds on to the files and the memtables that were the database's when it was made, so
// none is kept longer than these are: when RocksDB has flushed or compacted some, the idle ones go.

#pragma once

#include <rocksdb/db.h>
#include <rocksdb/iterator.h>
#include <rocksdb/listener.h>

#include <cstdint>
#include <memory>
#include <mutex>
#include <vector>

#include "engine/key/encoded_key.h"
#include "engine/storage/copied_rows.h"

namespace dolmen::engine {

// An iterator and the bounds that it looks at.  RocksDB looks at them anew at each seek, so they
// may be changed before one (MyRocks does so, and RocksDB takes care of it: LevelIterator's
// CheckMayBeOutOfLowerBound and BlockBasedTableIterator's CheckDataBlockWithinUpperBound are called
// at the end of every seek).
class BoundedIterator {
 public:
  // `options` say all but the bounds.
  BoundedIterator(rocksdb::DB& db, rocksdb::ReadOptions options);
  BoundedIterator(const BoundedIterator&) = delete;
  BoundedIterator& operator=(const BoundedIterator&) = delete;

  // Of the next Seek, SeekForPrev, SeekToFirst or SeekToLast; to be followed by one.
  void SetRange(const KeyRange& range);

  rocksdb::Iterator& iterator() { return *iterator_; }
  // Memory for who reads by it, which is kept with it.
  CopiedRows& copies() { return copies_; }

 private:
  friend class KeptIterators;

  KeyRange range_;
  rocksdb::Slice lower_;
  rocksdb::Slice upper_;
  std::unique_ptr<rocksdb::Iterator> iterator_;
  CopiedRows copies_;
  std::uint64_t generation_ = 0;
};

// Callable from any number of threads.  Hears from RocksDB when files are replaced: it is one of
// the listeners that the database is opened with.
class KeptIterators : public rocksdb::EventListener {
 public:
  // One that sees everything written before.
  std::unique_ptr<BoundedIterator> Take(rocksdb::DB& db);
  // `iterator` is one that Take has given.
  void GiveBack(std::unique_ptr<BoundedIterator> iterator);

  // To be called before the database is closed; nothing is to be given back afterwards.
  void DropIdle();

  void OnFlushCompleted(rocksdb::DB*, const rocksdb::FlushJobInfo&) override { DropIdle(); }
  void OnCompactionCompleted(rocksdb::DB*, const rocksdb::CompactionJobInfo&) override {
    DropIdle();
  }

 private:
  using Idle = std::vector<std::unique_ptr<BoundedIterator>>;

  std::unique_ptr<BoundedIterator> TakeIdle(std::uint64_t* generation);

  std::mutex mutex_;
  Idle idle_;
  std::uint64_t generation_ = 0;  // grows when files are replaced
};

}  // namespace dolmen::engine
