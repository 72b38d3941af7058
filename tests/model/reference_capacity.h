// What operations cost, by the rules as they are written down, from plain values.
// https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/CapacityUnitCalculations.html

#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <vector>

#include "dolmen/dolmen.h"
#include "tests/model/table_shape.h"

namespace dolmen::test {

class ReferenceTable;

// DynamoDB's size of an item whose numbers are integers.
std::size_t SizeOf(const Item& item);

// The bill of one request; empty if it does not ask for one.
class Bill {
 public:
  // A transaction pays `factor` 2.
  explicit Bill(ReturnConsumedCapacity which, double factor = 1) : which_(which), factor_(factor) {}

  bool wanted() const { return which_ != ReturnConsumedCapacity::kNone; }

  // Of `bytes` that are read at once, from the table or from an index.
  void AddRead(const ReferenceTable& table, const std::string& index, std::size_t bytes,
               bool consistent);
  // Of an item that was, or was not, and now is, or is not.
  void AddWrite(const ReferenceTable& table, const Item* before, const Item* after);

  // By the names of the tables.
  std::vector<ConsumedCapacity> Total() const;

 private:
  void Add(const ReferenceTable& table, const std::string& index, const Capacity& capacity);
  void AddEntry(const ReferenceTable& table, const std::string& index, const Item* before,
                const Item* after);

  ReturnConsumedCapacity which_;
  double factor_;
  std::map<std::string, ConsumedCapacity> by_table_;
};

std::string ToString(const std::vector<ConsumedCapacity>& capacity);

}  // namespace dolmen::test
