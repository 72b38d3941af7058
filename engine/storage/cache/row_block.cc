#include "engine/storage/cache/row_block.h"

#include <algorithm>
#include <new>
#include <ranges>

#include "dolmen/item_view.h"

namespace dolmen::engine {

RowBlockRef RowBlock::Make(std::span<const CachedRow> rows) {
  std::size_t bytes = sizeof(RowBlock) + rows.size() * sizeof(Row);
  for (const CachedRow& row : rows) bytes += row.key.size() + row.value.size();
  char* const memory = static_cast<char*>(::operator new(bytes));
  RowBlockRef block(new (memory) RowBlock(rows.size(), bytes));
  Row* place = reinterpret_cast<Row*>(memory + sizeof(RowBlock));
  std::size_t start = sizeof(RowBlock) + rows.size() * sizeof(Row);
  for (const CachedRow& row : rows) {
    const Result<ItemView> item = ItemView::Parse(row.value);
    new (place++)
        Row{static_cast<std::uint32_t>(start), static_cast<std::uint32_t>(row.key.size()),
            static_cast<std::uint32_t>(row.value.size()), item.ok() ? item->size_bytes() : 0};
    row.key.copy(memory + start, row.key.size());
    start += row.key.size();
    row.value.copy(memory + start, row.value.size());
    start += row.value.size();
  }
  return block;
}

std::size_t RowBlock::LowerBound(std::string_view key) const {
  const auto positions = std::views::iota(std::size_t{0}, size());
  const auto is_less = [&](std::size_t i) { return this->key(i) < key; };
  return static_cast<std::size_t>(std::ranges::partition_point(positions, is_less) -
                                  positions.begin());
}

void intrusive_ptr_release(const RowBlock* block) {
  if (block->owners_.fetch_sub(1, std::memory_order_acq_rel) != 1) return;
  block->~RowBlock();
  ::operator delete(const_cast<RowBlock*>(block));
}

}  // namespace dolmen::engine
