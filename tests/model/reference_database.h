// What operations on several tables do, on maps.

#pragma once

#include <chrono>
#include <map>
#include <string>
#include <vector>

#include "dolmen/dolmen.h"
#include "tests/model/operations.h"
#include "tests/model/reference_table.h"

namespace dolmen::test {

// What a batch or a transaction reads: of each table of a batch what there is, of each action of a
// transaction one item or none.
struct Found {
  StatusCode code = StatusCode::kOk;
  std::vector<std::vector<Item>> items = {};
  std::vector<ConsumedCapacity> capacity = {};  // by the tables' names

  friend bool operator==(const Found&, const Found&) = default;
};

std::string ToString(const Found& found);

// Tables by number.
class ReferenceDatabase {
 public:
  ReferenceTable& table(std::size_t number) { return tables_.at(number); }
  const ReferenceTable& table(std::size_t number) const { return tables_.at(number); }

  // In place of any with that number.
  void Create(std::size_t number, const CreateTableInput& description);

  void Advance(std::chrono::milliseconds by) { now_ += by; }

  Outcome Transact(const TransactOperation& operation);
  Outcome BatchWrite(const std::vector<TableWrite>& writes, ReturnConsumedCapacity capacity);
  Found BatchGetItems(const std::vector<BatchGet>& gets, ReturnConsumedCapacity capacity) const;
  Found TransactGet(const std::vector<TableGet>& gets, ReturnConsumedCapacity capacity) const;

 private:
  // A transaction with a token.
  struct Done {
    Timestamp at = {};
    std::string what = {};
  };

  static const Item* AfterOf(const ReferenceTable::Plan& plan) {
    return plan.after ? &*plan.after : nullptr;
  }

  std::vector<ConsumedCapacity> CostOfRepeating(const TransactOperation& operation) const;

  std::map<std::size_t, ReferenceTable> tables_;
  std::map<std::string, Done> done_;  // by its token
  Timestamp now_ = {};
};

}  // namespace dolmen::test
