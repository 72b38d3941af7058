// RocksDB's answers; each row's key and value are copied into a buffer that is kept.

#pragma once

#include <rocksdb/db.h>

#include <string>
#include <utility>

#include "bench/contender.h"
#include "bench/range_shape.h"
#include "bench/rocksdb_store.h"
#include "bench/stored_rows.h"

namespace dolmen::bench {

// An iterator with both bounds for each question.
class RocksdbReader {
 public:
  using Store = RocksdbStore;

  RocksdbReader(const RocksdbStore& store, RangeShape shape)
      : db_(store.db()), shape_(std::move(shape)) {}

  Status Ask(const std::string& partition) {
    range_ = FirstRange(shape_, partition);
    return Read();
  }

  // For what is from an item on.  REQUIRES: the shape has no prefix
  Status Ask(const ItemKey& from) {
    range_ = FirstRange(shape_, from.partition);
    range_.lower = RowKeyOf(from.partition, from.sort);
    return Read();
  }

  // REQUIRES: the last answer has rows
  Status AskNext() {
    ContinueAfter(rows_.last_key(), shape_, &range_);
    return Read();
  }

  std::size_t rows() const { return rows_.size(); }
  Answer answer() const { return rows_.rows(); }

 private:
  Status Read();

  rocksdb::DB& db_;
  RangeShape shape_;
  engine::KeyRange range_;
  RowBuffer rows_;
};

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
