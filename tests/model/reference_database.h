// The reference for operations on several tables, implemented with maps.

#pragma once

#include <chrono>
#include <map>
#include <string>
#include <vector>

#include "dolmen/dolmen.h"
#include "tests/model/operations.h"
#include "tests/model/reference_table.h"

namespace dolmen::test {

// The result of a batch or transaction read. A batch has one element per table, with the items that
// it found. A transaction has one element per action, with one item or none.
struct Found {
  StatusCode code = StatusCode::kOk;
  std::vector<std::vector<Item>> items = {};
  std::vector<ConsumedCapacity> capacity = {};  // in the order of the tables' names

  friend bool operator==(const Found&, const Found&) = default;
};

std::string ToString(const Found& found);

// The reference tables, by number.
class ReferenceDatabase {
 public:
  ReferenceTable& table(std::size_t number) { return tables_.at(number); }
  const ReferenceTable& table(std::size_t number) const { return tables_.at(number); }

  // Creates a table. Replaces an earlier table with this number.
  void Create(std::size_t number, const CreateTableInput& description);

  void Advance(std::chrono::milliseconds by) { now_ += by; }

  Outcome Transact(const TransactOperation& operation);
  Outcome BatchWrite(const std::vector<TableWrite>& writes, ReturnConsumedCapacity capacity);
  Found BatchGetItems(const std::vector<BatchGet>& gets, ReturnConsumedCapacity capacity) const;
  Found TransactGet(const std::vector<TableGet>& gets, ReturnConsumedCapacity capacity) const;

 private:
  // A completed transaction that had a token.
  struct Done {
    Timestamp at = {};
    std::string what = {};
  };

  static const Item* AfterOf(const ReferenceTable::Plan& plan) {
    return plan.after ? &*plan.after : nullptr;
  }

  std::vector<ConsumedCapacity> CostOfRepeating(const TransactOperation& operation) const;

  std::map<std::size_t, ReferenceTable> tables_;
  std::map<std::string, Done> done_;  // by token
  Timestamp now_ = {};
};

}  // namespace dolmen::test
