// Counts what a request consumes, by DynamoDB's rules.
// https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/CapacityUnitCalculations.html

#pragma once

#include <boost/container/small_vector.hpp>
#include <cstdint>
#include <optional>
#include <vector>

#include "dolmen/capacity.h"
#include "engine/schema/table_schema.h"

namespace dolmen::engine {

// What reading `bytes` at once costs, or writing an item of them: one unit at least.
double ReadUnits(std::uint64_t bytes, bool consistent);
double WriteUnits(std::uint64_t bytes);

// What became of an index's entry, for those who count capacity; sizes are 0 where there is none.
struct IndexChange {
  const IndexSchema* index;
  std::uint32_t size_before;
  std::uint32_t size_after;
  bool same_key;  // the entry was rewritten where it was
};
using IndexChanges = boost::container::small_vector<IndexChange, 4>;

// Of one request.  Counts nothing if the request does not ask for it.
class CapacityMeter {
 public:
  // A transaction pays everything twice.
  explicit CapacityMeter(ReturnConsumedCapacity which, bool of_transaction = false)
      : which_(which), factor_(of_transaction ? 2 : 1) {}

  bool counts() const { return which_ != ReturnConsumedCapacity::kNone; }

  // `index` is null for the table itself.
  void AddRead(const TableSchema& table, const IndexSchema* index, double units) {
    Add(table, index, {.read_units = units * factor_});
  }

  // Of one item, and what it changed in the indexes.  Sizes are 0 where there is no item.
  void AddWrite(const TableSchema& table, std::uint32_t size_before, std::uint32_t size_after,
                const IndexChanges& changes);

  // One for each table, in the order in which they were first counted; nothing if not asked for.
  std::vector<ConsumedCapacity> Take() { return std::move(tables_); }
  // For requests on a single table.
  std::optional<ConsumedCapacity> TakeOne();

 private:
  void Add(const TableSchema& table, const IndexSchema* index, const Capacity& capacity);

  ReturnConsumedCapacity which_;
  double factor_;
  std::vector<ConsumedCapacity> tables_;
};

}  // namespace dolmen::engine
