#include "database/simulate/token_buckets.h"

#include <algorithm>
#include <chrono>
#include <string_view>
#include <utility>

namespace dolmen::database {
namespace {

// DynamoDB keeps unused capacity of a table for 300 seconds, and that of a partition for one.
constexpr double kBurstSeconds = 300;
constexpr double kPartitionBurstSeconds = 1;

constexpr std::string_view kProvisioned = "ProvisionedThroughputExceeded";
constexpr std::string_view kKeyRange = "KeyRangeThroughputExceeded";

double UnitsOf(bool is_read, const Capacity& capacity) {
  return is_read ? capacity.read_units : capacity.write_units;
}

// Returns the units of the table itself and of its local indexes, which share its capacity.
double TableUnits(bool is_read, const ConsumedCapacity& consumed) {
  double units = UnitsOf(is_read, consumed.table);
  for (const auto& [name, part] : consumed.local_secondary_indexes) {
    units += UnitsOf(is_read, part);
  }
  return units;
}

// Returns the units of the partitions that the call reads or writes: those of the global index that
// it reads, otherwise those of the table.
double PartitionUnits(bool is_read, const Call& call, const ConsumedCapacity& consumed) {
  const auto index = consumed.global_secondary_indexes.find(call.charged_index);
  return index != consumed.global_secondary_indexes.end() ? UnitsOf(is_read, index->second)
                                                          : TableUnits(is_read, consumed);
}

// Fills the bucket up to `now`. Does nothing if the clock went back.
template <typename Bucket>
Bucket* Fill(Bucket* bucket, Timestamp now) {
  const std::chrono::duration<double> passed = now - bucket->filled;
  if (passed.count() > 0) {
    bucket->tokens = std::min(bucket->size, bucket->tokens + bucket->rate * passed.count());
  }
  bucket->filled = now;
  return bucket;
}

}  // namespace

TokenBuckets::TokenBuckets(const SimulateOptions& options)
    : throughput_(options.throughput),
      partition_read_units_(options.partition_read_units),
      partition_write_units_(options.partition_write_units),
      limits_calls_(!throughput_.empty() || partition_read_units_ > 0 ||
                    partition_write_units_ > 0) {}

TokenBuckets::Bucket* TokenBuckets::WholeBucket(bool is_read, const std::string& table,
                                                const std::string& index, Timestamp now) {
  const auto limit = std::ranges::find_if(throughput_, [&](const SimulatedThroughput& other) {
    return other.table == table && other.index == index;
  });
  if (limit == throughput_.end()) return nullptr;
  const double rate = is_read ? limit->read_units : limit->write_units;
  if (rate <= 0) return nullptr;
  const double size = rate * kBurstSeconds;
  const auto [at, is_new] =
      wholes_.try_emplace({is_read, table, index, {}}, Bucket{size, rate, size, now});
  return Fill(&at->second, now);
}

TokenBuckets::Bucket* TokenBuckets::PartitionBucket(bool is_read, const std::string& table,
                                                    const std::string& index,
                                                    const std::string& key, Timestamp now) {
  const double rate = is_read ? partition_read_units_ : partition_write_units_;
  if (rate <= 0) return nullptr;
  const double size = rate * kPartitionBurstSeconds;
  const auto [at, is_new] =
      partitions_.try_emplace({is_read, table, index, key}, Bucket{size, rate, size, now});
  return Fill(&at->second, now);
}

std::optional<ThrottlingReason> TokenBuckets::FindReason(const Call& call, const CallItem& item,
                                                         Timestamp now) {
  const bool is_read = IsRead(call.operation);
  const auto is_empty = [](const Bucket* bucket) {
    return bucket != nullptr && bucket->tokens <= 0;
  };
  if (is_empty(WholeBucket(is_read, item.table, call.charged_index, now))) {
    return ReasonOf(call.operation, kProvisioned, item.table, call.charged_index);
  }
  // A Scan reads all partitions.
  if (call.operation != SimulatedOperation::kScan &&
      is_empty(PartitionBucket(is_read, item.table, call.charged_index, item.key, now))) {
    return ReasonOf(call.operation, kKeyRange, item.table, call.charged_index);
  }
  if (is_read) return std::nullopt;
  // DynamoDB rejects a write to the table if a global index cannot take it.
  for (const SimulatedThroughput& limit : throughput_) {
    if (limit.table == item.table && is_empty(WholeBucket(false, limit.table, limit.index, now))) {
      return ReasonOf(call.operation, kProvisioned, limit.table, limit.index);
    }
  }
  return std::nullopt;
}

ThrottledItems TokenBuckets::FindThrottled(const Call& call, Timestamp now) {
  ThrottledItems throttled;
  for (std::size_t i = 0; limits_calls_ && i < call.items.size(); ++i) {
    std::optional<ThrottlingReason> reason = FindReason(call, call.items[i], now);
    if (!reason) continue;
    throttled.items.push_back(i);
    if (std::ranges::count(throttled.reasons, *reason) == 0) {
      throttled.reasons.push_back(*std::move(reason));
    }
  }
  return throttled;
}

void TokenBuckets::TakeWhole(bool is_read, const ConsumedCapacity& consumed, Timestamp now) {
  const std::string& table = consumed.table_name;
  if (Bucket* const bucket = WholeBucket(is_read, table, {}, now)) {
    bucket->tokens -= TableUnits(is_read, consumed);
  }
  for (const auto& [index, part] : consumed.global_secondary_indexes) {
    Bucket* const bucket = WholeBucket(is_read, table, index, now);
    if (bucket != nullptr) bucket->tokens -= UnitsOf(is_read, part);
  }
}

void TokenBuckets::Take(const Call& call, const std::set<std::size_t>& unprocessed,
                        const std::vector<ConsumedCapacity>& consumed, Timestamp now) {
  const bool is_read = IsRead(call.operation);
  for (const ConsumedCapacity& part : consumed) {
    TakeWhole(is_read, part, now);
    if (call.operation == SimulatedOperation::kScan) continue;
    std::vector<const CallItem*> items;
    for (std::size_t i = 0; i < call.items.size(); ++i) {
      if (call.items[i].table == part.table_name && !unprocessed.contains(i)) {
        items.push_back(&call.items[i]);
      }
    }
    for (const CallItem* const item : items) {
      Bucket* const bucket =
          PartitionBucket(is_read, item->table, call.charged_index, item->key, now);
      if (bucket == nullptr) break;
      bucket->tokens -= PartitionUnits(is_read, call, part) / static_cast<double>(items.size());
    }
  }
}

}  // namespace dolmen::database
