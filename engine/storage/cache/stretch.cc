#include "engine/storage/cache/stretch.h"

#include <algorithm>
#include <boost/container/small_vector.hpp>
#include <utility>

namespace dolmen::engine {
namespace {

using RowList = boost::container::small_vector<CachedRow, 2 * RowBlock::kRowsMax>;

std::size_t RowBytes(const CachedRow& row) { return row.key.size() + row.value.size(); }

}  // namespace

Stretch::Stretch(KnownRange range, Blocks blocks)
    : range_(std::move(range)), blocks_(std::move(blocks)) {
  bytes_ = sizeof(Stretch) + range_.lower.capacity() + blocks_.capacity() * sizeof(Block);
  if (range_.upper) bytes_ += range_.upper->capacity();
  for (const Block& block : blocks_) bytes_ += block.rows->bytes();
}

StretchRef Stretch::Make(KnownRange range, std::span<const CachedRow> rows) {
  Blocks blocks;
  AppendRows(rows, &blocks);
  return new Stretch(std::move(range), std::move(blocks));
}

void Stretch::AppendRows(std::span<const CachedRow> rows, Blocks* blocks) {
  while (!rows.empty()) {
    std::size_t count = 1;
    std::size_t bytes = RowBytes(rows[0]);
    while (count < rows.size() && count < RowBlock::kRowsMax && bytes < RowBlock::kBytesMax) {
      bytes += RowBytes(rows[count++]);
    }
    blocks->emplace_back(RowBlock::Make(rows.first(count)));
    rows = rows.subspan(count);
  }
}

RowPosition Stretch::LowerBound(std::string_view key) const {
  const auto block = std::ranges::lower_bound(blocks_, key, {}, &Block::last_key);
  if (block == blocks_.end()) return end();
  return {static_cast<std::size_t>(block - blocks_.begin()), block->rows->LowerBound(key)};
}

std::optional<std::string_view> Stretch::Find(std::string_view key) const {
  const RowPosition position = LowerBound(key);
  if (position == end() || this->key(position) != key) return std::nullopt;
  return value(position);
}

StretchRef Stretch::WithRow(std::string_view key, std::optional<std::string_view> value) const {
  // A row behind the last one joins the last block.
  RowPosition position = LowerBound(key);
  if (position == end() && !blocks_.empty()) {
    position = EndOf(blocks_.size() - 1);
  }
  Blocks blocks;
  blocks.reserve(blocks_.size() + 2);
  blocks.assign(blocks_.begin(), blocks_.begin() + static_cast<std::ptrdiff_t>(position.block));
  RowList rows;
  if (position.block < blocks_.size()) {
    const RowBlock& old = *blocks_[position.block].rows;
    for (std::size_t i = 0; i < old.size(); ++i) {
      if (i == position.row && value) rows.push_back({key, *value});
      if (i != position.row || old.key(i) != key) rows.push_back(old.row(i));
    }
  }
  const bool is_last = position.block == blocks_.size() || position == EndOf(position.block);
  if (is_last && value) rows.push_back({key, *value});
  AppendRows({rows.data(), rows.size()}, &blocks);
  if (position.block < blocks_.size()) {
    blocks.insert(blocks.end(), blocks_.begin() + static_cast<std::ptrdiff_t>(position.block) + 1,
                  blocks_.end());
  }
  return new Stretch(range_, std::move(blocks));
}

void Stretch::AppendPart(RowPosition from, const RowPosition& to, Blocks* blocks) const {
  while (from.block < to.block || (from.block == to.block && from.row < to.row)) {
    const RowBlock& block = this->block(from);
    const std::size_t end = from.block == to.block ? to.row : block.size();
    if (from.row == 0 && end == block.size()) {
      blocks->push_back(blocks_[from.block]);
    } else {
      RowList rows;
      for (std::size_t i = from.row; i < end; ++i) rows.push_back(block.row(i));
      AppendRows({rows.data(), rows.size()}, blocks);
    }
    from = {from.block + 1, 0};
  }
}

StretchRef Stretch::Part(KnownRange range) const {
  Blocks blocks;
  AppendPart(LowerBound(range.lower), range.upper ? LowerBound(*range.upper) : end(), &blocks);
  return new Stretch(std::move(range), std::move(blocks));
}

StretchRef Stretch::Join(const Stretch& next) const {
  Blocks blocks = blocks_;
  blocks.insert(blocks.end(), next.blocks_.begin(), next.blocks_.end());
  return new Stretch({range_.lower, next.range_.upper}, std::move(blocks));
}

}  // namespace dolmen::engine
