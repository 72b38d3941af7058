#include "engine/table/item_size.h"

#include <algorithm>
#include <cstdint>

#include "engine/table/index_upkeep.h"
#include "engine/value/codec.h"

namespace dolmen::engine {
namespace {

Status TooLarge(SizeSource source) {
  return Status::Validation(source == SizeSource::kItem
                                ? "Item size has exceeded the maximum allowed size"
                                : "Item size to update has exceeded the maximum allowed size");
}

bool IsLocal(const IndexSchema& index) { return index.is_local(); }

}  // namespace

Status CheckItemSize(const ItemView& item, SizeSource source) {
  return item.size_bytes() <= kItemBytesMax ? Status() : TooLarge(source);
}

Status CheckItemSize(const TableSchema& table, const ItemView& item, SizeSource source) {
  if (Status alone = CheckItemSize(item, source); !alone.ok()) return alone;
  const auto locals = std::count_if(table.indexes.begin(), table.indexes.end(), IsLocal);
  // No entry is larger than its item, and most items are small.
  std::uint64_t bytes = item.size_bytes();
  if (bytes * static_cast<std::uint64_t>(1 + locals) <= kItemBytesMax) return {};
  for (const IndexSchema& index : table.indexes) {
    if (!index.is_local()) continue;
    IndexEntry entry;
    const Result<bool> has = MakeEntry(table, index, item, &entry);
    if (!has.ok()) return has.status();
    if (*has) bytes += entry.size_bytes();
  }
  return bytes <= kItemBytesMax ? Status() : TooLarge(source);
}

}  // namespace dolmen::engine
