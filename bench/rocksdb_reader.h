// Readers of RocksDB. They copy the key and value of each row into a buffer that they reuse.

#pragma once

#include <rocksdb/db.h>

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

#include "bench/contender.h"
#include "bench/range_shape.h"
#include "bench/rocksdb_store.h"
#include "bench/stored_rows.h"

namespace dolmen::bench {

// A reader of ranges. For each query it creates an iterator with a lower and an upper bound.
class RocksdbReader {
 public:
  using Store = RocksdbStore;

  RocksdbReader(const RocksdbStore& store, RangeShape shape)
      : RocksdbReader(store, std::move(shape), Keeps::kNothing) {}
  RocksdbReader(const RocksdbReader&) = delete;
  RocksdbReader& operator=(const RocksdbReader&) = delete;

  Status Ask(const std::string& partition) {
    range_ = FirstRange(shape_, partition);
    return Read();
  }

  // Reads rows in the direction of the RangeShape, beginning with the item `from`.
  // REQUIRES: the shape has no prefix
  Status Ask(const ItemKey& from) {
    range_ = FirstRange(shape_, from.partition);
    engine::EncodedKey key = RowKeyOf(from.partition, from.sort);
    if (!shape_.forward) key.AdvancePast();
    (shape_.forward ? range_.lower : range_.upper) = std::move(key);
    return Read();
  }

  // Reads the next page. REQUIRES: the last answer has rows
  Status AskNext() {
    ContinueAfter(rows_.last_key(), shape_, &range_);
    return Read();
  }

  std::size_t rows() const { return rows_.size(); }
  Answer answer() const { return rows_.rows(); }

 protected:
  enum class Keeps : std::uint8_t { kNothing, kIterator };
  RocksdbReader(const RocksdbStore& store, RangeShape shape, Keeps keeps)
      : db_(store.db()), shape_(std::move(shape)), keeps_(keeps) {}

 private:
  Status Read();
  Status PrepareIterator();

  rocksdb::DB& db_;
  RangeShape shape_;
  Keeps keeps_;
  engine::KeyRange range_;
  rocksdb::Slice lower_;  // the iterator points to both bounds
  rocksdb::Slice upper_;
  std::unique_ptr<rocksdb::Iterator> iterator_;
  RowBuffer rows_;
};

// A reader of ranges that reuses one iterator, as Dolmen does. For each query it changes the bounds
// and refreshes the iterator.
class RocksdbKeptReader : public RocksdbReader {
 public:
  static constexpr std::string_view kName = "rocksdb_kept";

  RocksdbKeptReader(const RocksdbStore& store, RangeShape shape)
      : RocksdbReader(store, std::move(shape), Keeps::kIterator) {}
};

// A reader of single items.
class RocksdbItemReader {
 public:
  using Store = RocksdbStore;

  explicit RocksdbItemReader(const RocksdbStore& store) : db_(store.db()) {}

  Status Ask(const ItemKey& key);

  std::size_t rows() const { return rows_.size(); }
  Answer answer() const { return rows_.rows(); }

 private:
  rocksdb::DB& db_;
  rocksdb::PinnableSlice value_;
  RowBuffer rows_;
};

}  // namespace dolmen::bench
