// What an operation would cost in the cloud, by DynamoDB's rules.
// https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/CapacityUnitCalculations.html

#pragma once

#include <boost/container/flat_map.hpp>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace dolmen {

// kTotal: one sum for each table.  kIndexes: also what of it is the table's and each index's.
enum class ReturnConsumedCapacity : std::uint8_t { kNone, kTotal, kIndexes };

struct Capacity {
  double read_units = 0;   // of 4 KB; half of one if the read need not be consistent
  double write_units = 0;  // of 1 KB

  double units() const { return read_units + write_units; }

  Capacity& operator+=(const Capacity& other) {
    read_units += other.read_units;
    write_units += other.write_units;
    return *this;
  }
  friend bool operator==(const Capacity&, const Capacity&) = default;
};

// Of one table.
struct ConsumedCapacity {
  using ByIndex = boost::container::flat_map<std::string, Capacity, std::less<>>;

  std::string table_name = {};
  Capacity total = {};
  // kIndexes only; the indexes that the operation touched.
  Capacity table = {};
  ByIndex global_secondary_indexes = {};
  ByIndex local_secondary_indexes = {};

  friend bool operator==(const ConsumedCapacity&, const ConsumedCapacity&) = default;
};

}  // namespace dolmen
