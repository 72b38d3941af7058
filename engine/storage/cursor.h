// Walking the keys of a range.

#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string_view>

#include "dolmen/status.h"
#include "engine/key/encoded_key.h"
#include "engine/storage/kept_iterators.h"
#include "engine/storage/store.h"

namespace dolmen::engine {

// Walks the keys of a range in order, over the state at the time at which it, or the snapshot, was
// made.  For one thread; must not outlive its Store.
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
  // To the last key before `key`.
  void SeekBefore(std::string_view key);
  // To the first key from `key` on.
  void Seek(const EncodedKey& key) { iterator_->Seek({key.bytes().data(), key.bytes().size()}); }

  // False at the end of the range, and after an error, which status() tells.
  bool Valid() const { return iterator_->Valid(); }
  Status status() const;

  // REQUIRES: Valid()
  void Next() { iterator_->Next(); }
  void Previous();

  // Live until the cursor moves.  REQUIRES: Valid()
  std::string_view key() const { return iterator_->key().ToStringView(); }
  std::string_view value() const { return iterator_->value().ToStringView(); }

  // How many keys the cursors of this thread have passed over in all: rows, and what is deleted.
  static std::uint64_t KeysPassedOver();

  // Memory that is used again, for who copies rows as they go by.
  CopiedRows& copies() { return bounded_->copies(); }

 private:
  KeptIterators* kept_;  // where the iterator goes back to; null if it is good for this cursor only
  std::unique_ptr<BoundedIterator> bounded_;
  rocksdb::Iterator* iterator_;  // of `bounded_`
};

}  // namespace dolmen::engine
