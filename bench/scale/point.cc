#include "bench/scale/point.h"

namespace dolmen::bench {
namespace {

// Returns random letters. RocksDB may compress them on disk, but the block cache holds
// uncompressed blocks.
std::string Letters(std::size_t count, Random random) {
  constexpr std::uint64_t kLetters = 26;
  std::string letters(count, ' ');
  std::uint64_t bits = 0;
  for (std::size_t i = 0; i < count; ++i, bits /= kLetters) {
    if (i % 8 == 0) bits = random.Next();
    letters[i] = static_cast<char>('a' + bits % kLetters);
  }
  return letters;
}

}  // namespace

std::string NameOf(const Point& point) {
  const std::string_view series = kSeriesNames[static_cast<std::size_t>(point.series)];
  return std::string(series) + "/" + std::to_string(point.size);
}

DataSet PointData::data_set() const {
  DataSet data = {.size = point_.items,
                  .item = [data = *this](std::uint64_t i) { return data.ItemAt(i); }};
  // The class Stores gives the cache row_bytes_max bytes for each item, and the cache must hold all
  // data. RocksDB's cache consists of shards, and large blocks fill some shards more than others.
  // So row_bytes_max is twice the size of an item, and no shard becomes full.
  constexpr std::uint64_t kKeyAndBlockBytesMax = 200;
  if (point_.item_bytes > 0) data.row_bytes_max = 2 * point_.item_bytes + kKeyAndBlockBytesMax;
  return data;
}

Item PointData::ItemAt(std::uint64_t i) const {
  const ItemKey key = KeyOf(i);
  if (point_.item_bytes == 0) {
    Item item = ChatData(kMessagesPerConversation).Message(i);
    item["PK"] = key.partition;
    return item;
  }
  Item item = {{"PK", key.partition}, {"SK", key.sort}, {"body", ""}};
  const std::size_t others = StoredForm(item).size();
  item["body"] = Letters(point_.item_bytes - others, Random(i));
  return item;
}

}  // namespace dolmen::bench
