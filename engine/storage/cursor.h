// A cursor over the rows of a key range, in both directions.

#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string_view>

#include "dolmen/result.h"
#include "engine/key/encoded_key.h"
#include "engine/storage/iterator_pool.h"
#include "engine/storage/store.h"

namespace dolmen::engine {

// A cursor over the keys and values of a range, in key order. It reads the state of the store at
// its construction, or the state of a snapshot, which must outlive the cursor. For one thread.
// Must not outlive its Store.
class Cursor {
 public:
  Cursor(const Store& store, const KeyRange& range, const ReadOptions& options);
  Cursor(const Store& store, const KeyRange& range, const Snapshot* snapshot = nullptr)
      : Cursor(store, range, ReadOptions{.snapshot = snapshot}) {}
  ~Cursor();
  Cursor(const Cursor&) = delete;
  Cursor& operator=(const Cursor&) = delete;

  void SeekToFirst() { iterator_->SeekToFirst(); }
  void SeekToLast();
  // Moves to the last key less than `key`.
  void SeekBefore(std::string_view key);
  // Moves to the first key that is not less than `key`.
  void Seek(const EncodedKey& key) { iterator_->Seek({key.bytes().data(), key.bytes().size()}); }

  // Returns false past either end of the range, and after an error.
  bool Valid() const { return iterator_->Valid(); }
  // Returns the error that ended the read, or ok.
  // - kCorruption, kStorage: a file cannot be read, or ReadOptions::passed_over_max was exceeded.
  Status status() const;

  // REQUIRES: Valid()
  void Next() { iterator_->Next(); }
  void Previous();

  // Return views that live until the cursor moves. REQUIRES: Valid()
  std::string_view key() const { return iterator_->key().ToStringView(); }
  std::string_view value() const { return iterator_->value().ToStringView(); }

  // Returns the number of keys that all cursors of this thread have passed over since the thread
  // began. Rows and deleted keys both count.
  static std::uint64_t KeysPassedOver();

 private:
  IteratorPool* pool_;  // gets the iterator back; null: the iterator is not reused
  std::unique_ptr<BoundedIterator> bounded_;
  rocksdb::Iterator* iterator_;  // owned by `bounded_`
};

}  // namespace dolmen::engine
