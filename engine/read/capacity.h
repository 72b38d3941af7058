// Capacity units: the read and write units that a request consumes, by DynamoDB's rules.
// https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/CapacityUnitCalculations.html

#pragma once

#include <boost/container/small_vector.hpp>
#include <cstdint>
#include <optional>
#include <vector>

#include "dolmen/consumed_capacity.h"
#include "engine/schema/table_schema.h"

namespace dolmen::engine {

// Returns the units that one read of `bytes` bytes consumes: 1 for each 4 KB or part of it, and at
// least 1. A read that is not `consistent` consumes half as many units.
double ReadUnits(std::uint64_t bytes, bool consistent);
// Returns the units that the write of an item of `bytes` bytes consumes: 1 for each 1 KB or part of
// it, and at least 1.
double WriteUnits(std::uint64_t bytes);

// Adds the capacity of an operation to the sum of several operations on the same table. Sets the
// table's name.
void AddCapacity(const ConsumedCapacity& consumed, ConsumedCapacity* sum);

// The sizes of an item's entry in one index before and after a write, from which the capacity is
// computed.
struct IndexChange {
  const IndexSchema* index;   // owned by the table's schema
  std::uint32_t size_before;  // bytes; 0 if the item had no entry
  std::uint32_t size_after;   // bytes; 0 if the item has no entry now
  bool same_key;              // true if the entry keeps its key, so that it is overwritten in place
};
using IndexChanges = boost::container::small_vector<IndexChange, 4>;

// A meter of the capacity that one request consumes. It counts nothing if the request does not ask
// for capacity. For one thread.
class CapacityMeter {
 public:
  // If `of_transaction` is true, the meter doubles all units. By DynamoDB's rules, a transaction
  // consumes twice as many units as the same single requests.
  explicit CapacityMeter(ReturnConsumedCapacity which, bool of_transaction = false)
      : which_(which), factor_(of_transaction ? 2 : 1) {}

  // Returns true if the request asks for capacity.
  bool counts() const { return which_ != ReturnConsumedCapacity::kNone; }

  // Adds a read of `units` units from the index, or from the table if `index` is null.
  void AddRead(const TableSchema& table, const IndexSchema* index, double units) {
    Add(table, index, {.read_units = units * factor_});
  }

  // Adds a write of one item and the `changes` of its index entries. `size_before` and `size_after`
  // are the item's sizes in bytes; 0 means that no item exists.
  void AddWrite(const TableSchema& table, std::uint32_t size_before, std::uint32_t size_after,
                const IndexChanges& changes);

  // Moves out the capacity of each table, in the order in which the tables were first added.
  // Returns an empty vector if the request does not ask for capacity.
  std::vector<ConsumedCapacity> Take() { return std::move(tables_); }
  // Moves out the capacity of the only table of a request on one table. Returns nothing if the
  // request does not ask for capacity.
  std::optional<ConsumedCapacity> TakeOne();

 private:
  void Add(const TableSchema& table, const IndexSchema* index, const Capacity& capacity);

  ReturnConsumedCapacity which_;
  double factor_;
  std::vector<ConsumedCapacity> tables_;
};

}  // namespace dolmen::engine
