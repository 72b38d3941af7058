#include "engine/storage/cache/cache_entry.h"

#include <algorithm>
#include <utility>

namespace dolmen::engine {
namespace {

// The most rows that a read of RocksDB catches up with. A read that takes longer is not cached.
constexpr std::size_t kWrittenRowsMax = 256;

// Returns the stretch after the writes.
StretchRef CatchUp(StretchRef stretch, const std::vector<PendingStretch::WrittenRow>& written) {
  for (const PendingStretch::WrittenRow& row : written) {
    if (stretch->range().Contains(row.key)) stretch = stretch->WithRow(row.key, row.value);
  }
  return stretch;
}

}  // namespace

CacheEntry::CacheEntry(std::string_view key, std::uint64_t hash, PartitionGroup* group,
                       CacheMemory& memory)
    : key_(key),
      hash_(hash),
      group_(group),
      memory_(memory),
      bytes_(sizeof(CacheEntry) + key_.capacity()) {
  memory_.bytes += bytes_;
  if (group_ != nullptr) *group_ += kRowEntry;
}

CacheEntry::~CacheEntry() {
  if (group_ != nullptr) *group_ -= kRowEntry;
}

// A write that ends between the two reads of visible_ has changed it, unless it changed no cached
// row. So the stretches were the current ones when visible_at_ was read. If a write was in flight
// then, the sequence number shows that RocksDB did not show the write yet.
const StretchSet* CacheEntry::Visible() const {
  const StretchSet* const stretches = visible_.load();
  const std::uint64_t sequence = visible_at_.load();
  if (sequence != kAlways && memory_.latest_sequence() != sequence) return nullptr;
  return visible_.load() == stretches ? stretches : nullptr;
}

bool CacheEntry::BeginWrite() {
  const MutexLock lock(mutex_);
  if (removed_) return false;
  if (writes_in_flight_++ == 0) {
    visible_at_.store(memory_.latest_sequence());
  } else {
    visible_.store(nullptr);
  }
  return true;
}

void CacheEntry::EndWrite(std::string_view row, std::optional<std::string_view> value) {
  const MutexLock lock(mutex_);
  for (PendingStretch* const pending : pending_) {
    pending->is_stale |= pending->written.size() == kWrittenRowsMax;
    if (pending->is_stale) continue;
    pending->written.push_back({std::string(row), std::optional<std::string>(value)});
  }
  StretchSetRef changed = stretches_->WithRow(row, value);
  --writes_in_flight_;
  Replace(changed != nullptr ? std::move(changed) : stretches_);
}

void CacheEntry::AbandonWrite() {
  const MutexLock lock(mutex_);
  MakeStale();
  --writes_in_flight_;
  Replace(std::make_shared<StretchSet>());
}

bool CacheEntry::BeginFill(PendingStretch* pending) {
  const MutexLock lock(mutex_);
  if (removed_) return false;
  pending_.push_back(pending);
  return true;
}

void CacheEntry::EndFill(PendingStretch* pending, StretchRef stretch) {
  const MutexLock lock(mutex_);
  pending_.erase(std::find(pending_.begin(), pending_.end(), pending));
  if (stretch == nullptr || pending->is_stale) return;
  stretch = CatchUp(std::move(stretch), pending->written);
  StretchSetRef changed = stretches_->WithStretch(stretch, memory_.entry_bytes_max);
  if (changed->bytes() > memory_.entry_bytes_max) {
    changed = StretchSet().WithStretch(std::move(stretch), memory_.entry_bytes_max);
  }
  Replace(std::move(changed));
}

void CacheEntry::Forget() {
  const MutexLock lock(mutex_);
  MakeStale();
  Replace(std::make_shared<StretchSet>());
}

bool CacheEntry::TryRemove() {
  const MutexLock lock(mutex_);
  if (writes_in_flight_ > 0 || !pending_.empty()) return false;
  removed_ = true;
  visible_.store(nullptr);
  memory_.bytes -= bytes_;
  memory_.reclaimer.Retire(std::exchange(stretches_, nullptr), bytes_);
  return true;
}

void CacheEntry::Replace(StretchSetRef stretches) {
  if (stretches != stretches_) {
    if (stretches->bytes() > memory_.entry_bytes_max) stretches = std::make_shared<StretchSet>();
    const std::size_t before = bytes_;
    bytes_ = sizeof(CacheEntry) + key_.capacity() + stretches->bytes();
    memory_.bytes += bytes_ - before;  // may wrap around
    visible_.store(nullptr);
    // The new stretches usually share all blocks, or all but one, with the old stretches.
    const std::size_t freed = (before > bytes_ ? before - bytes_ : 0) + RowBlock::kBytesMax;
    memory_.reclaimer.Retire(std::exchange(stretches_, std::move(stretches)), freed);
  }
  if (writes_in_flight_ > 0) return;
  visible_.store(stretches_.get());
  visible_at_.store(kAlways);
}

void CacheEntry::MakeStale() {
  for (PendingStretch* const pending : pending_) pending->is_stale = true;
}

}  // namespace dolmen::engine
