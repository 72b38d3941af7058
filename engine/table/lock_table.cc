#include "engine/table/lock_table.h"

#include <xxhash.h>

#include <algorithm>

namespace dolmen::engine {

LockTable::Stripe LockTable::StripeOf(const EncodedKey& row) {
  const std::string_view bytes = row.bytes();
  return static_cast<Stripe>(XXH3_64bits(bytes.data(), bytes.size()) % kStripes);
}

LockTable::Guard::Guard(LockTable& table, std::span<const Stripe> stripes)
    : table_(table), held_(stripes.begin(), stripes.end()) {
  std::sort(held_.begin(), held_.end());
  held_.erase(std::unique(held_.begin(), held_.end()), held_.end());
  for (const Stripe stripe : held_) table_.mutexes_[stripe].lock();
}

LockTable::Guard::~Guard() {
  for (const Stripe stripe : held_) table_.mutexes_[stripe].unlock();
}

}  // namespace dolmen::engine
