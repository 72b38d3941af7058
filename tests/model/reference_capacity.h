// The capacity that operations consume, computed from plain values by the documented rules.
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

// Returns DynamoDB's size of an item whose numbers are integers.
std::size_t SizeOf(const Item& item);

// The consumed capacity of one request. It is empty if the request does not ask for capacity.
class Bill {
 public:
  // `factor` multiplies every cost. It is 2 for a transaction.
  explicit Bill(ReturnConsumedCapacity which, double factor = 1) : which_(which), factor_(factor) {}

  bool wanted() const { return which_ != ReturnConsumedCapacity::kNone; }

  // Adds one read of `bytes` bytes from the table or from an index.
  void AddRead(const ReferenceTable& table, const std::string& index, std::size_t bytes,
               bool consistent);
  // Adds the cost of a write. `before` is the item before the write, and `after` is the item after
  // the write. Each of them is null if the item does not exist at that time.
  void AddWrite(const ReferenceTable& table, const Item* before, const Item* after);

  // Returns the capacity by table, in the order of the tables' names.
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
