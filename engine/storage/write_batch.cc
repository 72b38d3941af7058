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
  const std::size_t key_bytes = key.bytes().size();
  const std::size_t value_start = batch_.Data().size() - value.size();
  rows_.push_back(
      {value_start - VarintBytes(value.size()) - key_bytes, key_bytes, value_start, value.size()});
}

void WriteBatch::Delete(const EncodedKey& key) {
  KeepFirstError(batch_.Delete(SliceOf(key)));
  rows_.push_back({batch_.Data().size() - key.bytes().size(), key.bytes().size()});
}

void WriteBatch::DeleteRange(const KeyRange& range) {
  KeepFirstError(batch_.DeleteRange(SliceOf(range.lower), SliceOf(range.upper)));
  deleted_ranges_.push_back(range);
}

}  // namespace dolmen::engine
