// The capacity that a request consumes, in the units in which DynamoDB bills.
//
//   const auto got = table.GetItem(
//       {.key = key, .options = {.return_consumed_capacity = ReturnConsumedCapacity::kTotal}});
//   if (got.ok()) std::cout << got->consumed_capacity->total.read_units;

#pragma once

#include "dolmen/internal/hide_macros.h"

#include <cstdint>
#include <string>

#include "dolmen/internal/flat_map.h"

namespace dolmen {

// The level of detail at which an output reports the consumed capacity.
enum class ReturnConsumedCapacity : std::uint8_t {
  kNone,    // none; Dolmen does not compute it
  kTotal,   // one sum for each table
  kIndexes  // the sum, and the parts for the table itself and for each index
};

// An amount of capacity. An operation in a transaction counts twice.
struct Capacity {
  // Reads, in units of 4 KB, rounded up. A read counts at least 1 unit, even if it finds no item.
  // Without consistent_read, a read counts half as much. Query and Scan add up the sizes of all
  // items of a page before they round.
  double read_units = 0;

  // Writes, in units of 1 KB, rounded up. A write counts the size of the item before or after the
  // write, whichever is larger. A write counts at least 1 unit. Each index entry that is written,
  // moved or deleted counts in addition.
  double write_units = 0;

  // Returns the sum of the read units and the write units, which DynamoDB reports as CapacityUnits.
  double units() const { return read_units + write_units; }

  // Adds both kinds.
  Capacity& operator+=(const Capacity& other) {
    read_units += other.read_units;
    write_units += other.write_units;
    return *this;
  }
  friend bool operator==(const Capacity&, const Capacity&) = default;
};

// The capacity that an operation consumed on one table and its indexes.
// https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_ConsumedCapacity.html
struct ConsumedCapacity {
  using ByIndex = internal::FlatMap<Capacity>;

  std::string table_name = {};

  // The capacity of the table and all its indexes together.
  Capacity total = {};

  // The parts of `total` for the table itself and for each index. Set only with
  // ReturnConsumedCapacity::kIndexes. The maps have an entry for each index that the operation
  // read or wrote.
  Capacity table = {};
  ByIndex global_secondary_indexes = {};
  ByIndex local_secondary_indexes = {};

  friend bool operator==(const ConsumedCapacity&, const ConsumedCapacity&) = default;
};

}  // namespace dolmen

#include "dolmen/internal/show_macros.h"
