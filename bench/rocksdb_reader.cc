#include "bench/rocksdb_reader.h"

#include <rocksdb/iterator.h>
#include <rocksdb/options.h>

#include <string_view>

#include "engine/storage/rocks_status.h"

namespace dolmen::bench {
namespace {

rocksdb::Slice ToSlice(std::string_view bytes) { return {bytes.data(), bytes.size()}; }

}  // namespace

Status RocksdbReader::PrepareIterator() {
  lower_ = ToSlice(range_.lower.bytes());
  upper_ = ToSlice(range_.upper.bytes());
  if (keeps_ == Keeps::kIterator && iterator_ != nullptr) {
    return engine::FromRocks(iterator_->Refresh(), "refreshing");
  }
  rocksdb::ReadOptions options;
  options.iterate_lower_bound = &lower_;
  options.iterate_upper_bound = &upper_;
  iterator_.reset(db_.NewIterator(options));
  return {};
}

Status RocksdbReader::Read() {
  rows_.Clear();
  if (Status prepared = PrepareIterator(); !prepared.ok()) return prepared;
  rocksdb::Iterator& row = *iterator_;
  shape_.forward ? row.SeekToFirst() : row.SeekToLast();
  while (row.Valid()) {
    rows_.Append(row.key().ToStringView(), row.value().ToStringView());
    if (rows_.size() == shape_.limit) break;
    shape_.forward ? row.Next() : row.Prev();
  }
  const rocksdb::Status status = row.status();
  if (keeps_ == Keeps::kNothing) iterator_.reset();
  return engine::FromRocks(status, "reading");
}

Status RocksdbItemReader::Ask(const ItemKey& item_key) {
  rows_.Clear();
  value_.Reset();
  const engine::EncodedKey key = RowKeyOf(item_key.partition, item_key.sort);
  const rocksdb::Status read =
      db_.Get(rocksdb::ReadOptions(), db_.DefaultColumnFamily(), ToSlice(key.bytes()), &value_);
  if (read.ok()) rows_.Append(key.bytes(), value_.ToStringView());
  return read.IsNotFound() ? Status() : engine::FromRocks(read, "reading");
}

}  // namespace dolmen::bench
