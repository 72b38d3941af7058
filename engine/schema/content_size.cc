#include "engine/schema/content_size.h"

#include <algorithm>

#include "engine/base/status_macros.h"
#include "engine/key/key_codec.h"
#include "engine/value/codec.h"

namespace dolmen::engine {
namespace {

// The number of samples for a table together with its indexes, and the minimum number for the table
// and for each index.
constexpr std::size_t kSamples = 32;
constexpr std::size_t kSamplesMin = 8;

}  // namespace

void DescribeContent(const Store& store, const TableSchema& table, const CountLimits& limits,
                     TableDescription* description) {
  CountLimits left = limits;
  std::size_t keyspaces_left = 1 + table.indexes.size();
  const std::size_t samples = std::max(kSamples / keyspaces_left, kSamplesMin);
  const auto count = [&](KeyspaceId keyspace, ContentSize* content) {
    const CountLimits share = {left.keys / keyspaces_left, left.bytes / keyspaces_left};
    --keyspaces_left;
    const KeyRange all = PrefixRange(EncodedKey(keyspace));
    const CountedRange counted = CountRange(store, all, share);
    left.keys -= std::min(left.keys, counted.keys);
    left.bytes -= std::min(left.bytes, counted.bytes);
    *content = counted.content;
    if (counted.complete) return;
    const ContentSize rest = EstimateContent(store, {counted.end, all.upper}, share, samples);
    content->item_count += rest.item_count;
    content->size_bytes += rest.size_bytes;
  };
  count(table.keyspace, &description->content);
  for (GlobalSecondaryIndexDescription& global : description->global_secondary_indexes) {
    count(table.FindIndex(global.index.name)->keyspace, &global.content);
  }
  for (LocalSecondaryIndexDescription& local : description->local_secondary_indexes) {
    count(table.FindIndex(local.index.name)->keyspace, &local.content);
  }
}

Result<std::uint64_t> ItemCollectionSize(const Store& store, const TableSchema& table,
                                         const AttributeValue& partition) {
  const KeyAttribute& attribute = table.keys.partition()[0];
  const Item key = {{attribute.name, partition}};
  DOLMEN_RETURN_IF_ERROR(CheckItem(key));
  DOLMEN_ASSIGN_OR_RETURN(const KeyBytes& bytes, KeyOfRequest({attribute, std::nullopt}, key));
  const auto bytes_in = [&](KeyspaceId keyspace) {
    return store.ApproximateBytes(PrefixRange(KeyPrefix(keyspace, {bytes.data(), bytes.size()})));
  };
  std::uint64_t sum = bytes_in(table.keyspace);
  for (const IndexSchema& index : table.indexes) {
    if (index.is_local()) sum += bytes_in(index.keyspace);
  }
  return sum;
}

}  // namespace dolmen::engine
