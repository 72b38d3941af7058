// The capacity that an operation would consume in the cloud, by DynamoDB's rules.  Dolmen itself
// has no quota: it counts for programs that want to know what their access patterns will cost.
//
//   const auto page = table.Query({.partition = "CONVO#c_01",
//                                  .return_consumed_capacity = ReturnConsumedCapacity::kTotal});
//   if (page.ok()) std::cout << page->consumed_capacity()->total.read_units;
//
// https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/CapacityUnitCalculations.html

#pragma once

#include <boost/container/flat_map.hpp>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace dolmen {

// The capacity that an output reports.
enum class ReturnConsumedCapacity : std::uint8_t {
  kNone,    // none; counting then costs nothing
  kTotal,   // one sum for each table
  kIndexes  // the sum, and the shares of the table itself and of each index
};

// An amount of capacity.  An operation in a transaction counts twice.
struct Capacity {
  // Reads, in units of 4 KB, rounded up.  A read counts at least 1 unit, also if it finds no item.
  // A read without consistent_read counts half.  Query and Scan add up a page before they round.
  double read_units = 0;

  // Writes, in units of 1 KB, rounded up: the larger of the item before and after.  A write counts
  // at least 1 unit.  Each index entry that is written, moved or deleted counts in addition.
  double write_units = 0;

  // Returns the units of both kinds, the figure that DynamoDB reports as CapacityUnits.
  double units() const { return read_units + write_units; }

  // Adds both kinds.
  Capacity& operator+=(const Capacity& other) {
    read_units += other.read_units;
    write_units += other.write_units;
    return *this;
  }
  friend bool operator==(const Capacity&, const Capacity&) = default;
};

// The capacity that an operation consumed of one table.
// https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_ConsumedCapacity.html
struct ConsumedCapacity {
  using ByIndex = boost::container::flat_map<std::string, Capacity, std::less<>>;

  std::string table_name = {};

  // The sum of the table and its indexes.
  Capacity total = {};

  // The shares; only with ReturnConsumedCapacity::kIndexes.  The maps have an entry for each index
  // that the operation touched.
  Capacity table = {};
  ByIndex global_secondary_indexes = {};
  ByIndex local_secondary_indexes = {};

  friend bool operator==(const ConsumedCapacity&, const ConsumedCapacity&) = default;
};

}  // namespace dolmen
