#include "bench/rocksdb_reader.h"

#include <rocksdb/iterator.h>
#include <rocksdb/options.h>

#include <memory>
#include <string_view>

#include "engine/storage/rocks_status.h"

namespace dolmen::bench {
namespace {

rocksdb::Slice ToSlice(std::string_view bytes) { return {bytes.data(), bytes.size()}; }

}  // namespace

Status RocksdbReader::Read() {
  rows_.Clear();
  const rocksdb::Slice lower = ToSlice(range_.lower.bytes());
  const rocksdb::Slice upper = ToSlice(range_.upper.bytes());
  rocksdb::ReadOptions options;
  options.iterate_lower_bound = &lower;
  options.iterate_upper_bound = &upper;
  const std::unique_ptr<rocksdb::Iterator> row(db_.NewIterator(options));
  shape_.forward ? row->SeekToFirst() : row->SeekToLast();
  while (row->Valid()) {
    rows_.Append(row->key().ToStringView(), row->value().ToStringView());
    if (rows_.size() == shape_.limit) break;
    shape_.forward ? row->Next() : row->Prev();
  }
  return engine::FromRocks(row->status(), "reading");
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
