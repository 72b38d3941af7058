// Stretches: ranges of keys that the row cache knows completely.

#pragma once

#include <atomic>
#include <boost/smart_ptr/intrusive_ptr.hpp>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "engine/storage/cache/block_list.h"
#include "engine/storage/cache/row_block.h"

namespace dolmen::internal {

// Immutable rows with a count of their owners. The last owner deletes them. Thread-safe.
class SharedRows {
 public:
  SharedRows(const SharedRows&) = delete;
  SharedRows& operator=(const SharedRows&) = delete;

  void Acquire() const { owners_.fetch_add(1, std::memory_order_relaxed); }
  void Release() const {
    if (owners_.fetch_sub(1, std::memory_order_acq_rel) == 1) delete this;
  }

 protected:
  SharedRows() = default;
  virtual ~SharedRows() = default;

 private:
  mutable std::atomic<std::uint32_t> owners_ = 0;
};

}  // namespace dolmen::internal

namespace dolmen::engine {

// A range of keys. The range includes `lower` and excludes `upper`.
struct KnownRange {
  std::string lower;
  std::optional<std::string> upper;  // nothing: the range has no upper bound

  bool Contains(std::string_view key) const { return lower <= key && (!upper || key < *upper); }
  // Returns true if this range includes all keys that are less than `bound` and not less than
  // `lower`; no `bound` means all keys from `lower`.
  bool ReachesTo(const std::optional<std::string_view>& bound) const {
    return !upper || (bound && *bound <= *upper);
  }
};

// The position of a row in a stretch.
struct RowPosition {
  std::size_t block = 0;
  std::size_t row = 0;

  friend bool operator==(const RowPosition&, const RowPosition&) = default;
};

class Stretch;
using StretchRef = boost::intrusive_ptr<const Stretch>;

// All rows of a range of keys. A key of the range without a row has no row in the store either.
// Immutable: a change makes a new stretch that shares the unchanged blocks. A row behind the last one is
// usually written into the last block. The new stretch then differs from the old one only by its number of
// rows in this block, so a chat that grows copies no rows. Thread-safe, but only one thread at a time may
// make new stretches from stretches that share a block: the mutex of the entry ensures this.
class Stretch : public internal::SharedRows {
 public:
  // Makes a stretch of rows. REQUIRES: the rows are in key order, and the range contains their
  // keys.
  static StretchRef Make(KnownRange range, std::span<const CachedRow> rows);

  const KnownRange& range() const { return body_->range; }

  RowPosition begin() const { return {}; }
  RowPosition end() const { return {body_->blocks.size(), 0}; }
  // Returns the position of the first row whose key is not less than `key`, or end().
  RowPosition LowerBound(std::string_view key) const;
  // Move a position by one row. REQUIRES: the row exists; Previous() also accepts end().
  void Next(RowPosition* position) const {
    if (++position->row == RowsIn(position->block)) *position = {position->block + 1, 0};
  }
  void Previous(RowPosition* position) const {
    if (position->row == 0) *position = EndOf(position->block - 1);
    --position->row;
  }
  // Returns the position behind the last row of a block. Only Previous() accepts it.
  RowPosition EndOf(std::size_t block) const { return {block, RowsIn(block)}; }
  // Returns the block of a position. REQUIRES: the position is not end().
  const RowBlock& block(const RowPosition& position) const { return body_->blocks[position.block]; }
  // Prefetch the block that follows, or comes before if `forward` is false: its list of rows, or the
  // row that a reader reaches after as many rows as a block has. A reader then waits less for the
  // memory.
  [[gnu::always_inline]] void PrefetchNextList(const RowPosition& position, bool forward) const {
    const std::size_t next = forward ? position.block + 1 : position.block - 1;
    if (next < body_->blocks.size()) body_->blocks[next].PrefetchList();
  }
  [[gnu::always_inline]] void PrefetchAhead(const RowPosition& position, bool forward) const {
    const std::size_t next = forward ? position.block + 1 : position.block - 1;
    if (next < body_->blocks.size()) {
      body_->blocks[next].PrefetchLike(block(position), position.row);
    }
  }
  std::string_view key(const RowPosition& position) const {
    return block(position).key(position.row);
  }
  std::string_view value(const RowPosition& position) const {
    return block(position).value(position.row);
  }

  // Returns the value of a row, or nothing if there is no such row. The view lives as long as the
  // stretch.
  std::optional<std::string_view> Find(std::string_view key) const;

  // Returns the stretch after a write of the row. No value means that the row is deleted.
  // REQUIRES: range().Contains(key)
  StretchRef WithRow(std::string_view key, std::optional<std::string_view> value) const;
  // Returns the part of the stretch that lies in `range`. REQUIRES: range() includes `range`.
  StretchRef Part(KnownRange range) const;
  // Returns both stretches as one. REQUIRES: `next` begins where this stretch ends.
  StretchRef Join(const Stretch& next) const;

  // Returns the memory of the stretch and its blocks.
  std::size_t bytes() const;

 private:
  // The part that stretches share that differ only by their last rows.
  struct Body {
    KnownRange range;
    BlockList blocks;
  };

  Stretch(std::shared_ptr<const Body> body, std::size_t last_rows)
      : body_(std::move(body)), last_block_(body_->blocks.size() - 1), last_rows_(last_rows) {}
  // Makes a stretch that has all rows of the blocks.
  static StretchRef FromBlocks(KnownRange range, BlockList blocks);
  ~Stretch() override = default;

  std::size_t RowsIn(std::size_t block) const {
    return block == last_block_ ? last_rows_ : body_->blocks[block].size();
  }
  // Returns the stretch with another row. REQUIRES: the stretch has rows, all with lesser keys.
  StretchRef WithLastRow(const CachedRow& row) const;
  // Appends copies of the rows, in blocks of the usual size.
  static void AppendRows(std::span<const CachedRow> rows, std::vector<ListedBlock>* blocks);
  // Appends the block, or a copy of its rows that belong to this stretch if it has others, too. Closes the
  // block, because other blocks may follow it.
  void AppendBlock(std::size_t block, std::vector<ListedBlock>* blocks) const;
  // Appends the rows from `from` to `to`. Shares the blocks that lie between them as a whole.
  void AppendPart(RowPosition from, const RowPosition& to, std::vector<ListedBlock>* blocks) const;

  const std::shared_ptr<const Body> body_;
  const std::size_t last_block_;  // its position; the greatest number without blocks
  const std::size_t last_rows_;   // the number of its rows that belong to this stretch
};

inline void intrusive_ptr_add_ref(const Stretch* stretch) { stretch->Acquire(); }
inline void intrusive_ptr_release(const Stretch* stretch) { stretch->Release(); }

}  // namespace dolmen::engine
