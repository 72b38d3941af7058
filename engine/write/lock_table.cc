#include "engine/write/lock_table.h"

#include <xxhash.h>

#include <algorithm>

namespace dolmen::engine {

LockTable::RowHash LockTable::HashOf(const EncodedKey& row) {
  const std::string_view bytes = row.bytes();
  return XXH3_64bits(bytes.data(), bytes.size());
}

// Sets the second lowest bit, so that the mark of a single write or a transaction is never 0.
LockTable::RowHash LockTable::HolderMark(RowHash row, Holder holder) {
  if (holder == Holder::kUpkeep) return 0;
  return (row & ~RowHash{3}) | 2 | (holder == Holder::kTransaction ? 1 : 0);
}

bool LockTable::IsHeldByTransaction(RowHash row) const {
  return stripes_[StripeOf(row)].holder.load(std::memory_order_relaxed) ==
         HolderMark(row, Holder::kTransaction);
}

bool LockTable::IsBeingWritten(RowHash row) const {
  const RowHash holder = stripes_[StripeOf(row)].holder.load(std::memory_order_acquire);
  return (holder | 1) == HolderMark(row, Holder::kTransaction);
}

void LockTable::WaitForAll() {
  for (Stripe& stripe : stripes_) const std::lock_guard pass(stripe.mutex);
}

LockTable::Guard::Rows LockTable::Guard::SortByStripe(std::span<const RowHash> rows) {
  Rows ordered;
  for (std::size_t i = 0; i < rows.size(); ++i) ordered.push_back({rows[i], i});
  std::sort(ordered.begin(), ordered.end(),
            [](const Row& a, const Row& b) { return StripeOf(a.hash) < StripeOf(b.hash); });
  return ordered;
}

bool LockTable::Guard::LockRow(RowHash row, Holder holder, OnConflict on_conflict) {
  const std::uint16_t index = StripeOf(row);
  if (!held_.empty() && held_.back() == index) return true;
  Stripe& stripe = table_.stripes_[index];
  if (on_conflict == OnConflict::kWait || !stripe.mutex.try_lock()) {
    if (on_conflict == OnConflict::kFail && table_.IsHeldByTransaction(row)) return false;
    stripe.mutex.lock();
  }
  stripe.holder.store(HolderMark(row, holder), std::memory_order_release);
  held_.push_back(index);
  return true;
}

std::vector<bool> LockTable::Guard::Lock(std::span<const RowHash> rows, Holder holder,
                                         OnConflict on_conflict) {
  for (const Row& row : SortByStripe(rows)) {
    if (LockRow(row.hash, holder, on_conflict)) continue;
    Unlock();
    std::vector<bool> conflicts(rows.size());
    for (std::size_t i = 0; i < rows.size(); ++i) {
      conflicts[i] = i == row.position || table_.IsHeldByTransaction(rows[i]);
    }
    return conflicts;
  }
  return {};
}

void LockTable::Guard::Unlock() {
  for (const std::uint16_t index : held_) {
    table_.stripes_[index].holder.store(0, std::memory_order_release);
    table_.stripes_[index].mutex.unlock();
  }
  held_.clear();
}

LockTable::Guard::~Guard() { Unlock(); }

}  // namespace dolmen::engine
