#include "engine/storage/iterator_pool.h"

#include <utility>

namespace dolmen::engine {
namespace {

// The maximum number of idle iterators. On a typical machine, about this number of threads read at
// the same time. An idle iterator pins the memtables, and in each sorted run the block at its
// position.
constexpr std::size_t kIdleMax = 8;

}  // namespace

BoundedIterator::BoundedIterator(rocksdb::DB& db, rocksdb::ReadOptions options) {
  options.iterate_lower_bound = &lower_;
  options.iterate_upper_bound = &upper_;
  iterator_.reset(db.NewIterator(options));
}

void BoundedIterator::SetRange(const KeyRange& range) {
  range_ = range;
  lower_ = {range_.lower.bytes().data(), range_.lower.bytes().size()};
  upper_ = {range_.upper.bytes().data(), range_.upper.bytes().size()};
}

std::unique_ptr<BoundedIterator> IteratorPool::Acquire(rocksdb::DB& db) {
  std::uint64_t generation = 0;
  std::unique_ptr<BoundedIterator> iterator = PopIdle(&generation);
  if (iterator == nullptr || !iterator->iterator_->Refresh().ok()) {
    iterator = std::make_unique<BoundedIterator>(db, rocksdb::ReadOptions());
  }
  // Files may be replaced after `generation` is read and before the iterator is created. The
  // iterator then pins the new files, but gets the old generation. So Release() destroys the
  // iterator without need, which costs only time.
  iterator->generation_ = generation;
  return iterator;
}

std::unique_ptr<BoundedIterator> IteratorPool::PopIdle(std::uint64_t* generation) {
  const MutexLock lock(mutex_);
  *generation = generation_;
  if (idle_.empty()) return nullptr;
  std::unique_ptr<BoundedIterator> iterator = std::move(idle_.back());
  idle_.pop_back();
  return iterator;
}

void IteratorPool::Release(std::unique_ptr<BoundedIterator> iterator) {
  if (!iterator->iterator_->status().ok()) return;
  const MutexLock lock(mutex_);
  if (iterator->generation_ != generation_ || idle_.size() >= kIdleMax) return;
  idle_.push_back(std::move(iterator));
}

void IteratorPool::DropIdle() {
  Idle dropped;  // destroyed after the unlocking, because its destructor takes RocksDB's mutex
  const MutexLock lock(mutex_);
  ++generation_;
  dropped.swap(idle_);
}

}  // namespace dolmen::engine
