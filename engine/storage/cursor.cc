#include "engine/storage/cursor.h"

#include <rocksdb/perf_context.h>

#include <utility>

#include "engine/storage/rocks_status.h"

namespace dolmen::engine {
namespace {

constexpr std::size_t kCacheLine = 64;

constexpr std::size_t kRowsAhead = 16;

// Prefetches `rows` rows. The first of them lies kRowsAhead rows before the iterator's row.
//
// RocksDB steps back within a block by parsing the rows of a restart interval forward. The
// position of a row is known only after the row before it is parsed, so each row costs a cache
// miss. A prefetch at each row loads the row that lies kRowsAhead rows before it, so that row is
// in the cache when RocksDB parses it. The function assumes that neighbouring rows have equal
// lengths. A prefetch of an invalid address does no harm.
void PrefetchBefore(const rocksdb::Iterator& iterator, std::size_t rows) {
  constexpr std::size_t kRowBytesMax = 2048;  // at most kRowsAhead rows of a block are longer
  const rocksdb::Slice value = iterator.value();
  const std::size_t row_bytes = iterator.key().size() + value.size();
  if (row_bytes > kRowBytesMax) return;
  const auto start = reinterpret_cast<std::uintptr_t>(value.data()) - (kRowsAhead + 1) * row_bytes;
  for (std::size_t i = 0; i < rows * row_bytes; i += kCacheLine) {
    __builtin_prefetch(reinterpret_cast<const void*>(start + i));
  }
}

}  // namespace

Cursor::Cursor(const Store& store, const KeyRange& range, const ReadOptions& options)
    : pool_(options.IsDefault() ? store.iterators_.get() : nullptr) {
  if (pool_ != nullptr) {
    bounded_ = pool_->Acquire(*store.db_);
  } else {
    bounded_ = std::make_unique<BoundedIterator>(*store.db_, store.ToRocksOptions(options));
  }
  iterator_ = &bounded_->iterator();
  bounded_->SetRange(range);
}

Cursor::~Cursor() {
  if (pool_ != nullptr) pool_->Release(std::move(bounded_));
}

void Cursor::SeekToLast() {
  iterator_->SeekToLast();
  if (iterator_->Valid()) PrefetchBefore(*iterator_, kRowsAhead);
}

void Cursor::SeekBefore(std::string_view key) {
  iterator_->SeekForPrev({key.data(), key.size()});
  if (iterator_->Valid() && iterator_->key() == rocksdb::Slice(key.data(), key.size())) {
    iterator_->Prev();
  }
}

void Cursor::Previous() {
  PrefetchBefore(*iterator_, 1);
  iterator_->Prev();
}

std::uint64_t Cursor::KeysPassedOver() {
  const rocksdb::PerfContext& counts = *rocksdb::get_perf_context();
  return counts.internal_key_skipped_count + counts.internal_delete_skipped_count;
}

Status Cursor::status() const { return FromRocks(iterator_->status(), "reading"); }

}  // namespace dolmen::engine
