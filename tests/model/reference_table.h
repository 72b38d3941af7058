// DynamoDB's table as a std::map: what a real one is compared with.  It is slow and plain on
// purpose, and shares nothing with the engine but the public value types.

#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "dolmen/dolmen.h"
#include "tests/model/operations.h"

namespace dolmen::test {

// What a write or a GetItem came to.
struct Outcome {
  StatusCode code = StatusCode::kOk;
  std::optional<Item> item = {};      // returned, or, if the condition failed, the one in its way
  std::vector<Outcome> reasons = {};  // of a transaction that was cancelled
  std::vector<ConsumedCapacity> capacity = {};  // by the tables' names

  friend bool operator==(const Outcome&, const Outcome&) = default;
};

struct Page {
  StatusCode code = StatusCode::kOk;
  std::vector<Item> items = {};
  std::uint32_t count = 0;
  std::uint32_t scanned_count = 0;
  Item last_evaluated_key = {};
  std::vector<ConsumedCapacity> capacity = {};

  friend bool operator==(const Page&, const Page&) = default;
};

// What a Scan comes to in all its pages and segments; partitions have no order, their items have.
struct Whole {
  StatusCode code = StatusCode::kOk;
  std::vector<std::vector<Item>> partitions = {};  // what is returned of each, if anything is
  std::uint32_t count = 0;
  std::uint32_t scanned_count = 0;
  std::vector<ConsumedCapacity> capacity = {};  // if it all comes in one page
};

std::string ToString(const Outcome& outcome);
std::string ToString(const Page& page);

class ReferenceTable {
 public:
  explicit ReferenceTable(CreateTableInput description);

  const CreateTableInput& description() const { return description_; }
  const Shape& shape(const std::string& index) const { return shapes_.at(index); }
  std::size_t size() const { return items_.size(); }

  // What the index holds of the item, if it holds it.
  std::optional<Item> EntryOf(const Item& item, const std::string& index) const;

  // What was there before stays as it was, whether the index can hold it or not.
  void CreateIndex(const GlobalSecondaryIndex& index);
  void DeleteIndex(const std::string& name);

  const Item* Find(const Item& key) const;
  Outcome Get(const GetOperation& operation) const;
  Outcome Write(const WriteOperation& operation);
  Page Query(const QueryOperation& operation, const Item& start_key) const;
  Whole Scan(const ScanOperation& operation) const;

  // What a write would do, without doing it.
  struct Plan {
    Outcome outcome = {};
    bool refused_at_once = false;  // for what the request says, whatever the table holds
    std::optional<Item> after = {};
  };
  Plan PlanWrite(const WriteOperation& operation) const;
  void Commit(const WriteOperation& operation, const Plan& plan);

 private:
  using Key = std::vector<AttributeValue>;
  struct KeyLess {
    bool operator()(const Key& a, const Key& b) const;
  };
  // An index's partition key or its sort key.
  struct KeyPart {
    std::vector<KeyAttribute> attributes = {};
    std::size_t bytes_max = 0;

    std::size_t BytesOf(const Item& item) const;  // as far as it is there, and can be a key
  };

  static bool CanBeKey(const AttributeValue& value, const KeyAttribute& key);
  Key KeyOfItem(const Item& item) const;
  void DescriptionChanged();
  // Whether indexes can hold what the item has for their keys, as far as `which` wants to know.
  bool FitsIndexes(const Item& item, const std::function<bool(const std::string&)>& which) const;
  bool IsIn(const Item& item, const std::string& index) const;
  bool IsRefused(const ReadOperation& operation) const;
  // What is in the index and in the range of the query, in its order.
  std::vector<const Item*> InRange(const QueryOperation& operation, const Item& start_key) const;
  // Adds an item that has been evaluated to a page or a whole.
  template <typename Output>
  void Evaluate(const ReadOperation& operation, const Item& item, std::vector<Item>* items,
                Output* output) const;
  // What evaluating these at once costs; `shards` are those of a Query of several partitions.
  std::vector<ConsumedCapacity> CostOf(const ReadOperation& operation,
                                       const std::vector<const Item*>& items,
                                       const std::vector<AttributeValue>& shards) const;

  CreateTableInput description_;
  std::map<std::string, Shape> shapes_;                    // by the name of the index
  std::map<std::string, std::vector<KeyPart>> key_parts_;  // likewise, of the indexes only
  std::map<Key, Item, KeyLess> items_;
};

}  // namespace dolmen::test
