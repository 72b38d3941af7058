// Blocks of cached rows.

#pragma once

#include <atomic>
#include <boost/smart_ptr/intrusive_ptr.hpp>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

namespace dolmen::engine {

// A row as the cache stores it: `key` is the part of the stored key that follows the key of the
// cache entry (cache_entry.h). Borrows its bytes.
struct CachedRow {
  std::string_view key;
  std::string_view value;
};

class RowBlock;
using RowBlockRef = boost::intrusive_ptr<const RowBlock>;

// A few neighbouring rows in key order, in one piece of memory. Rows never change, but a block can have
// room for more rows behind them. Several stretches share a block; the last owner frees it.
//
// Thread-safe: a reader uses only the rows that its stretch has, which are complete (stretch.h).
class RowBlock {
 public:
  // A block gets at most this number of rows and about this number of bytes, so that a write copies
  // little.
  static constexpr std::size_t kRowsMax = 16;
  static constexpr std::size_t kBytesMax = 4096;

  // The room for rows behind those of a new block.
  struct Room {
    std::size_t rows = 0;
    std::size_t bytes = 0;  // of the keys and the values
  };

  // Copies the rows. REQUIRES: the rows are in key order, and each value is an item.
  static RowBlockRef Make(std::span<const CachedRow> rows, Room room);

  // Writes the row behind the others if the block is open, has exactly `size` rows, and has room for it.
  // Otherwise returns false. REQUIRES: no other thread appends to the block or closes it, and the key is
  // greater than all others.
  bool TryAppend(std::size_t size, const CachedRow& row) const;
  // Lets the block get no more rows. A block that is not the last one of each of its stretches must be
  // closed, because a stretch has all rows of its other blocks.
  void Close() const { is_closed_ = true; }

  RowBlock(const RowBlock&) = delete;
  RowBlock& operator=(const RowBlock&) = delete;

  // Returns the number of rows. Another thread may append to the last block of a stretch, so ask the
  // stretch for its number of rows (Stretch::EndOf).
  std::size_t size() const { return count_; }
  // Return views that live as long as the block. REQUIRES: i < size()
  std::string_view key(std::size_t i) const {
    return {data() + rows()[i].start, rows()[i].key_bytes};
  }
  std::string_view value(std::size_t i) const {
    return {data() + rows()[i].start + rows()[i].key_bytes, rows()[i].value_bytes};
  }
  CachedRow row(std::size_t i) const { return {key(i), value(i)}; }
  // Returns DynamoDB's size of the item. REQUIRES: i < size()
  std::uint32_t item_bytes(std::size_t i) const { return rows()[i].item_bytes; }

  // Returns the position of the first of the `count` first rows whose key is not less than `key`;
  // `count` if all their keys are less.
  std::size_t LowerBound(std::string_view key, std::size_t count) const;
  // Returns the bytes of the keys and values of the `count` first rows.
  std::size_t RowBytes(std::size_t count) const {
    return count == 0 ? 0 : EndOfRow(count - 1) - DataStart(rows_max_);
  }

  // Prefetch the list of rows, or row `i` and its place in the list if it lies where row `i` of
  // `like` does. A prefetch of a wrong address does no harm. Both are inline, because GCC removes
  // calls of functions that only prefetch.
  [[gnu::always_inline]] void PrefetchList() const {
    Prefetch(data(), sizeof(RowBlock) + kRowsMax * sizeof(Row));
  }
  [[gnu::always_inline]] void PrefetchLike(const RowBlock& like, std::size_t i) const {
    const Row& row = like.rows()[i];
    Prefetch(reinterpret_cast<const char*>(rows() + i), 1);
    Prefetch(data() + row.start, row.key_bytes + std::size_t{row.value_bytes});
  }

  // Returns the memory that the block takes.
  std::size_t bytes() const { return bytes_; }

 private:
  static constexpr std::size_t kLineBytes = 64;  // of the processor's caches

  struct Row {
    std::uint32_t start;
    std::uint32_t key_bytes;
    std::uint32_t value_bytes;
    std::uint32_t item_bytes;
  };

  RowBlock(std::size_t rows_max, std::size_t bytes)
      : rows_max_(static_cast<std::uint32_t>(rows_max)),
        bytes_(static_cast<std::uint32_t>(bytes)) {}
  ~RowBlock() = default;

  // Return offsets from the start of the block.
  static constexpr std::size_t DataStart(std::size_t rows_max) {
    return sizeof(RowBlock) + rows_max * sizeof(Row);
  }
  std::size_t EndOfRow(std::size_t i) const {
    return rows()[i].start + rows()[i].key_bytes + std::size_t{rows()[i].value_bytes};
  }

  [[gnu::always_inline]] static void Prefetch(const char* start, std::size_t bytes) {
    for (std::size_t at = 0; at < bytes; at += kLineBytes) __builtin_prefetch(start + at);
  }

  // The rows and their bytes follow the object in its memory.
  const Row* rows() const { return reinterpret_cast<const Row*>(this + 1); }
  const char* data() const { return reinterpret_cast<const char*>(this); }

  friend void intrusive_ptr_add_ref(const RowBlock* block) {
    block->owners_.fetch_add(1, std::memory_order_relaxed);
  }
  friend void intrusive_ptr_release(const RowBlock* block);

  mutable std::atomic<std::uint32_t> owners_ = 0;
  mutable std::uint32_t count_ = 0;
  mutable bool is_closed_ = false;  // only for the threads that append
  const std::uint32_t rows_max_;
  const std::uint32_t bytes_;
};

}  // namespace dolmen::engine
