#include "engine/storage/cache/stretch.h"

#include <algorithm>
#include <boost/container/small_vector.hpp>
#include <utility>

#include "dolmen/internal/pinned_rows.h"

namespace dolmen::engine {
namespace {

using RowList = boost::container::small_vector<CachedRow, 2 * RowBlock::kRowsMax>;

std::size_t RowBytes(const CachedRow& row) { return row.key.size() + row.value.size(); }

}  // namespace

StretchRef Stretch::FromBlocks(KnownRange range, BlockList blocks) {
  const std::size_t last_rows = blocks.empty() ? 0 : blocks[blocks.size() - 1].size();
  return new Stretch(std::make_shared<const Body>(Body{std::move(range), std::move(blocks)}),
                     last_rows);
}

StretchRef Stretch::Make(KnownRange range, std::span<const CachedRow> rows) {
  std::vector<ListedBlock> blocks;
  AppendRows(rows, &blocks);
  return FromBlocks(std::move(range), BlockList(std::move(blocks)));
}

std::size_t Stretch::bytes() const {
  const KnownRange& range = this->range();
  return sizeof(Stretch) + sizeof(Body) + range.lower.capacity() +
         (range.upper ? range.upper->capacity() : 0) + body_->blocks.bytes();
}

void Stretch::AppendRows(std::span<const CachedRow> rows, std::vector<ListedBlock>* blocks) {
  while (!rows.empty()) {
    std::size_t count = 1;
    std::size_t bytes = RowBytes(rows[0]);
    while (count < rows.size() && count < RowBlock::kRowsMax && bytes < RowBlock::kBytesMax) {
      bytes += RowBytes(rows[count++]);
    }
    blocks->emplace_back(RowBlock::Make(rows.first(count), {}));
    rows = rows.subspan(count);
  }
}

RowPosition Stretch::LowerBound(std::string_view key) const {
  // The list may lack the last rows of the last block.
  std::size_t block = body_->blocks.LowerBound(key);
  if (block == body_->blocks.size()) block = last_block_;
  if (body_->blocks.empty()) return end();
  const std::size_t row = body_->blocks[block].LowerBound(key, RowsIn(block));
  return row == RowsIn(block) ? end() : RowPosition{block, row};
}

std::optional<std::string_view> Stretch::Find(std::string_view key) const {
  const RowPosition position = LowerBound(key);
  if (position == end() || this->key(position) != key) return std::nullopt;
  return value(position);
}

StretchRef Stretch::WithRow(std::string_view key, std::optional<std::string_view> value) const {
  const RowPosition position = LowerBound(key);
  const BlockList& blocks = body_->blocks;
  if (position == end() && !blocks.empty()) {
    return value ? WithLastRow({key, *value}) : new Stretch(body_, last_rows_);
  }
  RowList rows;
  if (blocks.empty() && value) rows.push_back({key, *value});
  for (std::size_t i = 0; !blocks.empty() && i < RowsIn(position.block); ++i) {
    const RowBlock& old = blocks[position.block];
    if (i == position.row && value) rows.push_back({key, *value});
    if (i != position.row || old.key(i) != key) rows.push_back(old.row(i));
  }
  std::vector<ListedBlock> changed;
  AppendRows({rows.data(), rows.size()}, &changed);
  BlockList list = blocks.With(position.block, changed);
  if (position.block == last_block_ || blocks.empty()) return FromBlocks(range(), std::move(list));
  return new Stretch(std::make_shared<const Body>(Body{range(), std::move(list)}), last_rows_);
}

StretchRef Stretch::WithLastRow(const CachedRow& row) const {
  const RowBlock& last = body_->blocks[last_block_];
  if (last.TryAppend(last_rows_, row)) return new Stretch(body_, last_rows_ + 1);
  const std::size_t bytes = last.RowBytes(last_rows_);
  const bool is_full = last_rows_ >= RowBlock::kRowsMax || bytes >= RowBlock::kBytesMax;
  RowList rows;
  std::vector<ListedBlock> changed;
  RowBlock::Room room;
  if (is_full) {
    AppendBlock(last_block_, &changed);
    // The next rows are probably as large as the former ones. A large row has a block of its own.
    if (RowBytes(row) < RowBlock::kBytesMax) {
      room = {RowBlock::kRowsMax - 1, std::min(bytes, RowBlock::kBytesMax)};
    }
  } else {
    // A small stretch gets little room.
    for (std::size_t i = 0; i < last_rows_; ++i) rows.push_back(last.row(i));
    room = {std::min(last_rows_, RowBlock::kRowsMax - last_rows_ - 1), bytes};
  }
  rows.push_back(row);
  changed.emplace_back(RowBlock::Make({rows.data(), rows.size()}, room));
  return FromBlocks(range(), body_->blocks.With(last_block_, changed));
}

void Stretch::AppendBlock(std::size_t block, std::vector<ListedBlock>* blocks) const {
  if (block != last_block_) return body_->blocks.CopyTo(block, block + 1, blocks);
  // The list may lack the last rows of the last block, so the block is listed anew.
  const RowBlock& last = body_->blocks[block];
  last.Close();
  if (last.size() == last_rows_) {
    blocks->emplace_back(RowBlockRef(&last));
  } else {
    RowList rows;
    for (std::size_t i = 0; i < last_rows_; ++i) rows.push_back(last.row(i));
    blocks->emplace_back(RowBlock::Make({rows.data(), rows.size()}, {}));
  }
}

void Stretch::AppendPart(RowPosition from, const RowPosition& to,
                         std::vector<ListedBlock>* blocks) const {
  while (from.block < to.block || (from.block == to.block && from.row < to.row)) {
    const RowBlock& block = this->block(from);
    const std::size_t end = from.block == to.block ? to.row : RowsIn(from.block);
    if (from.row == 0 && end == RowsIn(from.block)) {
      AppendBlock(from.block, blocks);
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
  return FromBlocks(std::move(range), BlockList(std::move(blocks)));
}

StretchRef Stretch::Join(const Stretch& next) const {
  std::vector<ListedBlock> blocks;
  AppendPart(begin(), end(), &blocks);
  next.AppendPart(next.begin(), next.end(), &blocks);
  return FromBlocks({range().lower, next.range().upper}, BlockList(std::move(blocks)));
}

}  // namespace dolmen::engine

namespace dolmen::internal {

PinnedRows::PinnedRows(const SharedRows* rows) : rows_(rows) {
  if (rows_ != nullptr) rows_->Acquire();
}

void PinnedRows::Release() { rows_->Release(); }

}  // namespace dolmen::internal
