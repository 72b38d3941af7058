#include "engine/table/content_size.h"

#include <algorithm>
#include <cmath>

#include "engine/key/key_codec.h"
#include "engine/storage/cursor.h"
#include "engine/value/codec.h"

namespace dolmen::engine {
namespace {

// How many times as much the whole holds as the part, of which `bytes` were read.  Files are
// compressed and memory is not, and the latest rows, which memory has, may lie anywhere.
double GrowthOf(const ApproximateSize& part, const ApproximateSize& whole, double bytes) {
  const auto part_files = static_cast<double>(part.file_bytes);
  const auto part_memory = static_cast<double>(part.memory_bytes);
  const auto files = static_cast<double>(whole.file_bytes);
  const auto memory = static_cast<double>(whole.memory_bytes);
  if (bytes <= 0 || part_files + part_memory <= 0) return 1;
  const bool tells_compression = part_files > 0 && bytes > part_memory;
  const double growth = tells_compression
                            ? (memory + files * (bytes - part_memory) / part_files) / bytes
                            : (memory + files) / (part_memory + part_files);
  return std::max(growth, 1.0);
}

// Counts one keyspace after the other.
class Counter {
 public:
  Counter(const Store& store, const CountLimits& limits, std::size_t keyspaces)
      : store_(store), left_(limits), keyspaces_left_(keyspaces) {}

  // REQUIRES: called at most as often as there are keyspaces
  Status Count(KeyspaceId keyspace, ContentSize* content) {
    const CountLimits share = {left_.rows / keyspaces_left_, left_.bytes / keyspaces_left_};
    --keyspaces_left_;
    const KeyRange all = PrefixRange(EncodedKey(keyspace));
    std::size_t rows = 0;
    std::size_t bytes = 0;
    Cursor cursor(store_, all);
    for (cursor.SeekToFirst(); cursor.Valid(); cursor.Next()) {
      if (rows >= share.rows || bytes >= share.bytes) break;
      const Result<ItemView> item = ItemView::Parse(cursor.value());
      if (!item.ok()) return item.status();
      content->size_bytes += item->size_bytes();
      ++rows;
      bytes += cursor.key().size() + cursor.value().size();
    }
    content->item_count = rows;
    if (cursor.Valid()) Extrapolate(all, EncodedKey::FromBytes(cursor.key()), bytes, content);
    left_.rows -= std::min(left_.rows, rows);
    left_.bytes -= std::min(left_.bytes, bytes);
    return cursor.status();
  }

 private:
  // What was counted is what lies before `end`, and had so many bytes.
  void Extrapolate(const KeyRange& all, const EncodedKey& end, std::size_t bytes,
                   ContentSize* content) const {
    const double factor =
        GrowthOf(store_.SizeOf({all.lower, end}), store_.SizeOf(all), static_cast<double>(bytes));
    const auto scale = [&](std::uint64_t* count) {
      *count = static_cast<std::uint64_t>(std::llround(static_cast<double>(*count) * factor));
    };
    scale(&content->item_count);
    scale(&content->size_bytes);
  }

  const Store& store_;
  CountLimits left_;
  std::size_t keyspaces_left_;
};

}  // namespace

Status DescribeContent(const Store& store, const TableSchema& table, const CountLimits& limits,
                       TableDescription* description) {
  Counter counter(store, limits, 1 + table.indexes.size());
  Status counted = counter.Count(table.keyspace, &description->content);
  const auto count_index = [&](const std::string& name, ContentSize* content) {
    if (counted.ok()) counted = counter.Count(table.FindIndex(name)->keyspace, content);
  };
  for (GlobalSecondaryIndexDescription& global : description->global_secondary_indexes) {
    count_index(global.index.name, &global.content);
  }
  for (LocalSecondaryIndexDescription& local : description->local_secondary_indexes) {
    count_index(local.index.name, &local.content);
  }
  return counted;
}

Result<std::uint64_t> ItemCollectionSize(const Store& store, const TableSchema& table,
                                         const AttributeValue& partition) {
  const KeyAttribute& attribute = table.keys.partition()[0];
  const Item key = {{attribute.name, partition}};
  if (Status valid = CheckItem(key); !valid.ok()) return valid;
  const Result<KeyBytes> bytes = KeyOfRequest({attribute, std::nullopt}, key);
  if (!bytes.ok()) return bytes.status();
  const auto bytes_in = [&](KeyspaceId keyspace) {
    return store.ApproximateBytes(PrefixRange(KeyPrefix(keyspace, {bytes->data(), bytes->size()})));
  };
  std::uint64_t sum = bytes_in(table.keyspace);
  for (const IndexSchema& index : table.indexes) {
    if (index.is_local()) sum += bytes_in(index.keyspace);
  }
  return sum;
}

}  // namespace dolmen::engine
