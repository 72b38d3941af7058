// The list of the blocks of a stretch.

#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "engine/storage/cache/row_block.h"

namespace dolmen::engine {

// A block in a list. `last_key` is the key of its last row when it was listed: the last block of a list can
// have got rows since then (Stretch::LowerBound). It lies beside the pointer, so that a search for a block
// reads less memory.
struct ListedBlock {
  explicit ListedBlock(RowBlockRef block)
      : rows(std::move(block)), last_key(rows->key(rows->size() - 1)) {}

  RowBlockRef rows;
  std::string_view last_key;
};

// Blocks in key order, none of them empty. A change makes a new list. All but the last blocks of a
// long list are in a head that the lists share, so a change near the end copies few pointers: a chat
// grows there with each message. A change of another place copies the pointers to all blocks.
// Immutable, so thread-safe.
class BlockList {
 public:
  // The most blocks of a list that are not in its head. A new head leaves half as many behind it.
  static constexpr std::size_t kTailMax = 32;

  explicit BlockList(std::vector<ListedBlock> blocks);

  std::size_t size() const { return head_size_ + tail_.size(); }
  bool empty() const { return size() == 0; }
  // REQUIRES: i < size()
  const RowBlock& operator[](std::size_t i) const {
    return *(i < head_size_ ? head_->blocks[i] : tail_[i - head_size_]).rows;
  }
  // Returns the position of the first block whose last key is not less than `key`, or size().
  std::size_t LowerBound(std::string_view key) const;

  // Returns the list with `blocks` in the place of the block at `place`, or behind all blocks if
  // `place` is size().
  BlockList With(std::size_t place, std::span<const ListedBlock> blocks) const;
  // Appends the blocks from `begin` to `end` to `*blocks`.
  void CopyTo(std::size_t begin, std::size_t end, std::vector<ListedBlock>* blocks) const;

  // Returns the memory of the list and its blocks.
  std::size_t bytes() const { return block_bytes_ + size() * sizeof(ListedBlock); }

 private:
  struct Head {
    std::vector<ListedBlock> blocks;
  };

  BlockList() = default;

  std::shared_ptr<const Head> head_;  // null if head_size_ is 0
  std::size_t head_size_ = 0;
  std::vector<ListedBlock> tail_;
  std::size_t block_bytes_ = 0;
};

}  // namespace dolmen::engine
