#include "engine/write/item_size.h"

#include <algorithm>
#include <cstdint>

#include "engine/base/status_macros.h"
#include "engine/value/codec.h"
#include "engine/write/index_upkeep.h"

namespace dolmen::engine {
namespace {

Status TooLarge(SizeSource source) {
  return Status::Validation(source == SizeSource::kItem
                                ? "Item size has exceeded the maximum allowed size"
                                : "Item size to update has exceeded the maximum allowed size");
}

bool IsLocal(const IndexSchema& index) { return index.is_local(); }

Result<std::uint64_t> SizeWithLocalEntries(const TableSchema& table, const ItemView& item) {
  std::uint64_t bytes = item.size_bytes();
  for (const IndexSchema& index : table.indexes) {
    if (!index.is_local()) continue;
    IndexEntry entry;
    DOLMEN_ASSIGN_OR_RETURN(const bool has, MakeEntry(table, index, item, &entry));
    if (has) bytes += entry.size_bytes();
  }
  return bytes;
}

}  // namespace

Status CheckItemSize(const ItemView& item, SizeSource source) {
  return item.size_bytes() <= kItemBytesMax ? Status() : TooLarge(source);
}

Status CheckItemSize(const TableSchema& table, const ItemView& item, SizeSource source) {
  DOLMEN_RETURN_IF_ERROR(CheckItemSize(item, source));
  const auto locals = std::count_if(table.indexes.begin(), table.indexes.end(), IsLocal);
  // Accepts a small item without the computation below. An index entry is not larger than the item,
  // so the item and its local entries together cannot exceed the limit.
  if (std::uint64_t{item.size_bytes()} * static_cast<std::uint64_t>(1 + locals) <= kItemBytesMax) {
    return {};
  }
  DOLMEN_ASSIGN_OR_RETURN(const std::uint64_t bytes, SizeWithLocalEntries(table, item));
  return bytes <= kItemBytesMax ? Status() : TooLarge(source);
}

}  // namespace dolmen::engine
