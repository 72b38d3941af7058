// DynamoDB's table as a std::map: what a real one is compared with.  It is slow and plain on
// purpose, and shares nothing with the engine but the public value types.

#pragma once

#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "dolmen/dolmen.h"
#include "tests/model/operations.h"

namespace dolmen::test {

// What a write or a GetItem came to.
struct Outcome {
  StatusCode code = StatusCode::kOk;
  std::optional<Item> item = {};      // returned, or, if the condition failed, the one in its way
  std::vector<Outcome> reasons = {};  // of a transaction that was cancelled

  friend bool operator==(const Outcome&, const Outcome&) = default;
};

struct Page {
  std::vector<Item> items = {};
  std::uint32_t count = 0;
  std::uint32_t scanned_count = 0;
  Item last_evaluated_key = {};

  friend bool operator==(const Page&, const Page&) = default;
};

std::string ToString(const Outcome& outcome);
std::string ToString(const Page& page);

// The table of ModelTable().
class ReferenceTable {
 public:
  Outcome Get(const GetOperation& operation) const;
  Outcome Write(const WriteOperation& operation);
  Outcome Transact(const std::vector<WriteOperation>& operations);
  Page Query(const QueryOperation& operation, const Item& start_key) const;

  // All items of the table, or those that the index holds, in order, partitions too.
  std::vector<Item> Items(const std::string& index) const;
  std::size_t size() const { return items_.size(); }

 private:
  using Key = std::pair<std::string, std::string>;

  // What a write would do, without doing it.
  struct Plan {
    Outcome outcome = {};
    bool refused_at_once = false;  // for what the request says, whatever the table holds
    std::optional<Item> after = {};
  };

  static Key KeyOf(const Item& item);
  // In order; those of one partition, or of all.
  std::vector<const Item*> Sorted(const std::string& index, const AttributeValue* partition) const;
  const Item* Find(const Item& key) const;
  Plan PlanWrite(const WriteOperation& operation) const;
  void Commit(const WriteOperation& operation, const Plan& plan);

  std::map<Key, Item> items_;
};

}  // namespace dolmen::test
