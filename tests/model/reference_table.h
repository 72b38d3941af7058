// A reference for one DynamoDB table, implemented with a std::map. It is deliberately slow and
// simple. It shares only the public value types with the engine.

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

// The result of a write or a GetItem.
struct Outcome {
  StatusCode code = StatusCode::kOk;
  std::optional<Item> item = {};                // returned by the operation or in its error
  std::vector<Outcome> reasons = {};            // one for each action of a cancelled transaction
  std::vector<ConsumedCapacity> capacity = {};  // by table name

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

// The result of a Scan over all its pages and segments. The order of the partitions is undefined.
// The items of each partition are in order.
struct Whole {
  StatusCode code = StatusCode::kOk;
  std::vector<std::vector<Item>> partitions = {};  // the items of each non-empty partition
  std::uint32_t count = 0;
  std::uint32_t scanned_count = 0;
  std::vector<ConsumedCapacity> capacity = {};  // valid for a scan of one page
};

std::string ToString(const Outcome& outcome);
std::string ToString(const Page& page);

class ReferenceTable {
 public:
  explicit ReferenceTable(CreateTableInput description);

  const CreateTableInput& description() const { return description_; }
  const Shape& shape(const std::string& index) const { return shapes_.at(index); }
  std::size_t size() const { return items_.size(); }

  // Returns the index entry of the item, or nothing if the index does not hold the item.
  std::optional<Item> EntryOf(const Item& item, const std::string& index) const;

  // Creates an index. Existing items do not change, even if the index cannot hold them.
  void CreateIndex(const GlobalSecondaryIndex& index);
  void DeleteIndex(const std::string& name);

  const Item* Find(const Item& key) const;
  Outcome Get(const GetOperation& operation) const;
  Outcome Write(const WriteOperation& operation);
  Page Query(const QueryOperation& operation, const Item& start_key) const;
  Whole Scan(const ScanOperation& operation) const;

  // The result of a write that is checked but not yet applied.
  struct Plan {
    Outcome outcome = {};
    bool refused_at_once = false;  // the request is invalid for every content of the table
    bool has_wrong_type = false;   // because an index key has a wrong type; cancels a transaction
    std::optional<Item> after = {};
  };
  Plan PlanWrite(const WriteOperation& operation) const;
  void Commit(const WriteOperation& operation, const Plan& plan);

 private:
  using Key = std::vector<AttributeValue>;
  struct KeyLess {
    bool operator()(const Key& a, const Key& b) const;
  };
  // The partition key or the sort key of an index.
  struct KeyPart {
    std::vector<KeyAttribute> attributes = {};
    std::size_t bytes_max = 0;

    std::size_t BytesOf(const Item& item) const;  // counts valid attributes only
  };

  static bool CanBeKey(const AttributeValue& value, const KeyAttribute& key);
  Key KeyOfItem(const Item& item) const;
  void DescriptionChanged();
  // Returns true if an attribute does not have the type that the key of an index demands.
  bool HasWrongType(const Item& item) const;
  // Returns true if the item's values for index keys are valid. The function checks only the
  // attributes that the predicate `which` accepts.
  bool FitsIndexes(const Item& item, const std::function<bool(const std::string&)>& which) const;
  bool IsIn(const Item& item, const std::string& index) const;
  bool IsRefused(const ReadOperation& operation) const;
  // Returns the items in the index and in the query's range, in the query's order.
  std::vector<const Item*> InRange(const QueryOperation& operation, const Item& start_key) const;
  // Applies filter and projection to one item and adds the result to a Page or a Whole.
  template <typename Output>
  void Evaluate(const ReadOperation& operation, const Item& item, std::vector<Item>* items,
                Output* output) const;
  // Returns the cost of reading `items` in one page. `shards` are the partitions of a Query of
  // several partitions.
  std::vector<ConsumedCapacity> CostOf(const ReadOperation& operation,
                                       const std::vector<const Item*>& items,
                                       const std::vector<AttributeValue>& shards) const;

  CreateTableInput description_;
  std::map<std::string, Shape> shapes_;                    // by index name
  std::map<std::string, std::vector<KeyPart>> key_parts_;  // by index name, without the table
  std::map<Key, Item, KeyLess> items_;
};

}  // namespace dolmen::test
