#include "engine/storage/cache/block_list.h"

#include <algorithm>

namespace dolmen::engine {
namespace {

std::size_t BytesOf(std::span<const ListedBlock> blocks) {
  std::size_t bytes = 0;
  for (const ListedBlock& block : blocks) bytes += block.rows->bytes();
  return bytes;
}

std::size_t LowerBoundIn(const std::vector<ListedBlock>& blocks, std::string_view key) {
  const auto found = std::ranges::lower_bound(blocks, key, {}, &ListedBlock::last_key);
  return static_cast<std::size_t>(found - blocks.begin());
}

auto At(const std::vector<ListedBlock>& blocks, std::size_t i) {
  return blocks.begin() + static_cast<std::ptrdiff_t>(i);
}

}  // namespace

BlockList::BlockList(std::vector<ListedBlock> blocks) : block_bytes_(BytesOf(blocks)) {
  if (blocks.size() > kTailMax) {
    head_size_ = blocks.size() - kTailMax / 2;
    tail_.assign(At(blocks, head_size_), blocks.cend());
    blocks.erase(At(blocks, head_size_), blocks.cend());
    head_ = std::make_shared<const Head>(Head{std::move(blocks)});
  } else {
    tail_ = std::move(blocks);
  }
}

std::size_t BlockList::LowerBound(std::string_view key) const {
  if (head_size_ != 0 && key <= head_->blocks.back().last_key) {
    return LowerBoundIn(head_->blocks, key);
  }
  return head_size_ + LowerBoundIn(tail_, key);
}

BlockList BlockList::With(std::size_t place, std::span<const ListedBlock> blocks) const {
  const std::size_t after = std::min(place + 1, size());
  const std::size_t tail_size = tail_.size() + blocks.size() - (after - place);
  const bool keeps_head = place >= head_size_ && tail_size <= kTailMax;
  std::vector<ListedBlock> changed;
  changed.reserve(keeps_head ? tail_size : head_size_ + tail_size);
  CopyTo(keeps_head ? head_size_ : 0, place, &changed);
  changed.insert(changed.end(), blocks.begin(), blocks.end());
  CopyTo(after, size(), &changed);
  if (!keeps_head) return BlockList(std::move(changed));
  BlockList list;
  list.head_ = head_;
  list.head_size_ = head_size_;
  list.tail_ = std::move(changed);
  const std::size_t removed = after == place ? 0 : (*this)[place].bytes();
  list.block_bytes_ = block_bytes_ + BytesOf(blocks) - removed;
  return list;
}

void BlockList::CopyTo(std::size_t begin, std::size_t end, std::vector<ListedBlock>* blocks) const {
  if (begin < head_size_) {
    blocks->insert(blocks->end(), At(head_->blocks, begin),
                   At(head_->blocks, std::min(end, head_size_)));
    begin = head_size_;
  }
  if (begin < end) {
    blocks->insert(blocks->end(), At(tail_, begin - head_size_), At(tail_, end - head_size_));
  }
}

}  // namespace dolmen::engine
