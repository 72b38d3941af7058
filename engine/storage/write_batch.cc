#include "engine/storage/write_batch.h"

#include <bit>

namespace dolmen::engine {
namespace {

rocksdb::Slice SliceOf(const EncodedKey& key) { return {key.bytes().data(), key.bytes().size()}; }

// Returns the number of bytes in which RocksDB writes the number, seven bits in each byte.
std::size_t VarintBytes(std::size_t number) {
  return (static_cast<std::size_t>(std::bit_width(number | 1)) + 6) / 7;
}

}  // namespace

void WriteBatch::Put(const EncodedKey& key, std::string_view value) {
  KeepFirstError(batch_.Put(SliceOf(key), {value.data(), value.size()}));
  // RocksDB writes the key, the length of the value and the value at the batch's end.
  const std::size_t key_end = batch_.Data().size() - value.size() - VarintBytes(value.size());
  rows_.push_back({key_end, key.bytes().size(), value.size()});
}

void WriteBatch::Delete(const EncodedKey& key) {
  KeepFirstError(batch_.Delete(SliceOf(key)));
  rows_.push_back({batch_.Data().size(), key.bytes().size(), std::nullopt});
}

void WriteBatch::DeleteRange(const KeyRange& range) {
  KeepFirstError(batch_.DeleteRange(SliceOf(range.lower), SliceOf(range.upper)));
  deleted_ranges_.push_back(range);
}

WriteBatch::WrittenRows WriteBatch::Rows() const {
  const std::string_view bytes = batch_.Data();
  WrittenRows rows;
  for (const RowPlace& place : rows_) {
    WrittenRow& row = rows.emplace_back();
    row.key = bytes.substr(place.key_end - place.key_bytes, place.key_bytes);
    if (place.value_bytes) {
      row.value = bytes.substr(place.key_end + VarintBytes(*place.value_bytes), *place.value_bytes);
    }
  }
  return rows;
}

}  // namespace dolmen::engine
