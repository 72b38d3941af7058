// Batches of writes.

#pragma once

#include <rocksdb/write_batch.h>

#include <algorithm>
#include <boost/container/small_vector.hpp>
#include <cstddef>
#include <optional>
#include <string_view>
#include <vector>

#include "engine/key/encoded_key.h"

namespace dolmen::engine {

// The place of a row in the bytes of the batch that writes it. The batch may still grow and move.
struct WrittenRow {
  std::size_t key_start;
  std::size_t key_bytes;
  std::size_t value_start = 0;
  std::optional<std::size_t> value_bytes = {};  // nothing: the batch deletes the row

  std::string_view key(std::string_view batch) const { return batch.substr(key_start, key_bytes); }
  std::optional<std::string_view> value(std::string_view batch) const {
    if (!value_bytes) return std::nullopt;
    return batch.substr(value_start, *value_bytes);
  }
};

// Writes that become visible and durable together or not at all. For one thread.
class WriteBatch {
 public:
  WriteBatch() = default;
  // Makes an empty batch that seldom grows while `writes` ordinary items are written to it.
  explicit WriteBatch(std::size_t writes)
      : batch_(std::max(kInitialBytes, writes * kBytesPerWrite)) {}

  void Put(const EncodedKey& key, std::string_view value);
  void Delete(const EncodedKey& key);
  void DeleteRange(const KeyRange& range);
  // Notes that the batch deletes data. What it puts only describes the deletion, for example change
  // records. Write accepts the batch with less free space than other batches.
  void OnlyDeletes() { only_deletes_ = true; }
  bool empty() const { return count() == 0; }
  std::size_t count() const { return static_cast<std::size_t>(batch_.Count()); }

 private:
  friend class Store;
  void KeepFirstError(const rocksdb::Status& status) {
    if (status_.ok()) status_ = status;
  }

  // The number of bytes that a new batch allocates. They hold a few items, so that the batch of an
  // ordinary write does not grow step by step.
  static constexpr std::size_t kInitialBytes = 1024;
  static constexpr std::size_t kBytesPerWrite = 512;

  rocksdb::WriteBatch batch_{kInitialBytes};
  rocksdb::Status status_;  // the first error of an operation; Store::Write returns it
  bool only_deletes_ = false;
  boost::container::small_vector<WrittenRow, 8> rows_;  // in the order of their operations
  std::vector<KeyRange> deleted_ranges_;
};

}  // namespace dolmen::engine
