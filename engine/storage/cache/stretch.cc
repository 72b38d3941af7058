#include "engine/storage/cache/stretch.h"

#include <algorithm>
#include <boost/container/small_vector.hpp>
#include <utility>

namespace dolmen::engine {
namespace {

using RowList = boost::container::small_vector<CachedRow, 2 * RowBlock::kRowsMax>;

std::size_t RowBytes(const CachedRow& row) { return row.key.size() + row.value.size(); }

}  // namespace

Stretch::Stretch(KnownRange range, BlockList blocks)
    : range_(std::move(range)), blocks_(std::move(blocks)) {}

std::size_t Stretch::bytes() const {
  return sizeof(Stretch) + range_.lower.capacity() + (range_.upper ? range_.upper->capacity() : 0) +
         blocks_.bytes();
}

StretchRef Stretch::Make(KnownRange range, std::span<const CachedRow> rows) {
  std::vector<ListedBlock> blocks;
  AppendRows(rows, &blocks);
  return new Stretch(std::move(range), BlockList(std::move(blocks)));
}

void Stretch::AppendRows(std::span<const CachedRow> rows, std::vector<ListedBlock>* blocks) {
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
  const std::size_t block = blocks_.LowerBound(key);
  return block == blocks_.size() ? end() : RowPosition{block, blocks_[block].LowerBound(key)};
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
  RowList rows;
  if (position.block < blocks_.size()) {
    const RowBlock& old = blocks_[position.block];
    for (std::size_t i = 0; i < old.size(); ++i) {
      if (i == position.row && value) rows.push_back({key, *value});
      if (i != position.row || old.key(i) != key) rows.push_back(old.row(i));
    }
  }
  const bool is_last = position.block == blocks_.size() || position == EndOf(position.block);
  if (is_last && value) rows.push_back({key, *value});
  std::vector<ListedBlock> changed;
  AppendRows({rows.data(), rows.size()}, &changed);
  return new Stretch(range_, blocks_.With(position.block, changed));
}

void Stretch::AppendPart(RowPosition from, const RowPosition& to,
                         std::vector<ListedBlock>* blocks) const {
  while (from.block < to.block || (from.block == to.block && from.row < to.row)) {
    const RowBlock& block = this->block(from);
    const std::size_t end = from.block == to.block ? to.row : block.size();
    if (from.row == 0 && end == block.size()) {
      blocks_.CopyTo(from.block, from.block + 1, blocks);
    } else {
      RowList rows;
      for (std::size_t i = from.row; i < end; ++i) rows.push_back(block.row(i));
      AppendRows({rows.data(), rows.size()}, blocks);
    }
    from = {from.block + 1, 0};
  }
}

StretchRef Stretch::Part(KnownRange range) const {
  std::vector<ListedBlock> blocks;
  AppendPart(LowerBound(range.lower), range.upper ? LowerBound(*range.upper) : end(), &blocks);
  return new Stretch(std::move(range), BlockList(std::move(blocks)));
}

StretchRef Stretch::Join(const Stretch& next) const {
  std::vector<ListedBlock> blocks;
  blocks_.CopyTo(0, blocks_.size(), &blocks);
  next.blocks_.CopyTo(0, next.blocks_.size(), &blocks);
  return new Stretch({range_.lower, next.range_.upper}, BlockList(std::move(blocks)));
}

}  // namespace dolmen::engine
