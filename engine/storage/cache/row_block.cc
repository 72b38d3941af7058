#include "engine/storage/cache/row_block.h"

#include <algorithm>
#include <new>
#include <ranges>

#include "dolmen/item_view.h"

namespace dolmen::engine {

RowBlockRef RowBlock::Make(std::span<const CachedRow> rows, Room room) {
  const std::size_t rows_max = rows.size() + room.rows;
  std::size_t bytes = DataStart(rows_max) + room.bytes;
  for (const CachedRow& row : rows) bytes += row.key.size() + row.value.size();
  RowBlockRef block(new (::operator new(bytes)) RowBlock(rows_max, bytes));
  for (const CachedRow& row : rows) block->TryAppend(block->count_, row);
  return block;
}

bool RowBlock::TryAppend(std::size_t size, const CachedRow& row) const {
  const std::size_t start = count_ == 0 ? DataStart(rows_max_) : EndOfRow(count_ - 1);
  const bool fits = count_ < rows_max_ && start + row.key.size() + row.value.size() <= bytes_;
  if (is_closed_ || count_ != size || !fits) return false;
  char* const memory = const_cast<char*>(data());
  const Result<ItemView> item = ItemView::Parse(row.value);
  new (memory + sizeof(RowBlock) + count_ * sizeof(Row))
      Row{static_cast<std::uint32_t>(start), static_cast<std::uint32_t>(row.key.size()),
          static_cast<std::uint32_t>(row.value.size()), item.ok() ? item->size_bytes() : 0};
  row.key.copy(memory + start, row.key.size());
  row.value.copy(memory + start + row.key.size(), row.value.size());
  ++count_;
  return true;
}

std::size_t RowBlock::LowerBound(std::string_view key, std::size_t count) const {
  const auto positions = std::views::iota(std::size_t{0}, count);
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
