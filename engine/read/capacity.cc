#include "engine/read/capacity.h"

#include <algorithm>
#include <cmath>

namespace dolmen::engine {
namespace {

constexpr std::uint64_t kReadUnitBytes = 4096;
constexpr std::uint64_t kWriteUnitBytes = 1024;

double Units(std::uint64_t bytes, std::uint64_t unit_bytes) {
  return static_cast<double>(std::max<std::uint64_t>((bytes + unit_bytes - 1) / unit_bytes, 1));
}

}  // namespace

double ReadUnits(std::uint64_t bytes, bool consistent) {
  return Units(bytes, kReadUnitBytes) * (consistent ? 1 : 0.5);
}

double WriteUnits(std::uint64_t bytes) { return Units(bytes, kWriteUnitBytes); }

namespace {

// Returns the write units that a change of an index entry consumes. If the entry's key changes,
// the old entry is deleted and the new one is put, and both writes consume units.
double EntryUnits(const IndexChange& change) {
  if (change.size_before == 0 || change.size_after == 0 || change.same_key) {
    return WriteUnits(std::max(change.size_before, change.size_after));
  }
  return WriteUnits(change.size_before) + WriteUnits(change.size_after);
}

}  // namespace

void AddCapacity(const ConsumedCapacity& consumed, ConsumedCapacity* sum) {
  sum->table_name = consumed.table_name;
  sum->total += consumed.total;
  sum->table += consumed.table;
  for (const auto& [index, capacity] : consumed.global_secondary_indexes) {
    sum->global_secondary_indexes[index] += capacity;
  }
  for (const auto& [index, capacity] : consumed.local_secondary_indexes) {
    sum->local_secondary_indexes[index] += capacity;
  }
}

void CapacityMeter::AddWrite(const TableSchema& table, std::uint32_t size_before,
                             std::uint32_t size_after, const IndexChanges& changes) {
  const double units = WriteUnits(std::max(size_before, size_after));
  Add(table, nullptr, {.write_units = units * factor_});
  for (const IndexChange& change : changes) {
    Add(table, change.index, {.write_units = EntryUnits(change) * factor_});
  }
}

std::optional<ConsumedCapacity> CapacityMeter::TakeOne() {
  if (tables_.empty()) return std::nullopt;
  return std::move(tables_.front());
}

void CapacityMeter::Add(const TableSchema& table, const IndexSchema* index,
                        const Capacity& capacity) {
  if (!counts()) return;
  auto found = std::find_if(tables_.begin(), tables_.end(), [&](const ConsumedCapacity& known) {
    return known.table_name == table.name;
  });
  if (found == tables_.end()) found = tables_.insert(found, {.table_name = table.name});
  found->total += capacity;
  if (which_ != ReturnConsumedCapacity::kIndexes) return;
  if (index == nullptr) {
    found->table += capacity;
  } else if (index->is_local()) {
    found->local_secondary_indexes[index->name] += capacity;
  } else {
    found->global_secondary_indexes[index->name] += capacity;
  }
}

}  // namespace dolmen::engine
