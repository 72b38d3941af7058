// The space of deleted data, which RocksDB frees when it compacts the data.

#pragma once

#include <rocksdb/db.h>

#include <vector>

#include "engine/base/mutex.h"
#include "engine/key/encoded_key.h"

namespace dolmen::engine {

// Remembers the deletions of a store, and frees their space if the disk is full. Thread-safe.
class DeletedSpace {
 public:
  // Notes that a batch has deleted data, and the whole ranges that it has deleted.
  void Note(const std::vector<KeyRange>& ranges) DOLMEN_EXCLUDES(mutex_);

  // Makes RocksDB free the space of the noted deletions, in the background. Does nothing if no
  // deletion was noted since the last call. Ignores errors: the store keeps a write failure.
  void Free(rocksdb::DB* db) DOLMEN_EXCLUDES(mutex_);

 private:
  Mutex mutex_;
  bool has_deletions_ DOLMEN_GUARDED_BY(mutex_) = false;
  std::vector<KeyRange> ranges_ DOLMEN_GUARDED_BY(mutex_);
};

}  // namespace dolmen::engine
