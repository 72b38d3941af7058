// Members of the responses of operations on items: ConsumedCapacity, ItemCollectionMetrics, and the items
// of transactions.
// https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_ItemCollectionMetrics.html

#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "dolmen/consumed_capacity.h"
#include "dolmen/item_view.h"
#include "dolmen/table.h"
#include "wire/json_writer.h"
#include "wire/operation.h"

namespace dolmen::wire {

// The form of the consumed capacity in a response: only the total, or the total with the read units
// and the write units. Transactions use the second form.
enum class CapacityForm { kOperation, kTransaction };

// Write the member ConsumedCapacity. The second form writes nothing if the request did not ask for it; an
// operation has no capacity then.
void WriteCapacity(const std::optional<ConsumedCapacity>& capacity, ReturnConsumedCapacity asked,
                   JsonWriter* response);
void WriteCapacities(const std::vector<ConsumedCapacity>& capacities, ReturnConsumedCapacity asked,
                     CapacityForm form, JsonWriter* response);

// The kind of units that an operation consumes. The response of most operations names them CapacityUnits.
enum class Units : std::uint8_t { kRead, kWrite };

// Read the member ConsumedCapacity of a response: one structure or a list of them.
std::optional<ConsumedCapacity> ReadCapacity(const JsonObject& response, Units units);
std::vector<ConsumedCapacity> ReadCapacities(const JsonObject& response, Units units);

// Writes the response of a transaction that reads: the items in the order of the request, and an
// empty object for each absent item.
void WriteTransactionItems(std::vector<std::optional<StoredItem>> items,
                           const std::vector<ConsumedCapacity>& capacities,
                           ReturnConsumedCapacity returned, JsonWriter* response);

// The member ItemCollectionMetrics: the size of all items under one partition key. The distinct item collections that a request writes to, in tables with local indexes. Empty if
// the request does not ask for ItemCollectionMetrics. Add reads the description of each table.
// An operation calls Add before it writes the items, because after a successful write such a read
// could fail.
class ItemCollections {
 public:
  ItemCollections(const Context& context, const JsonObject& request);

  // Adds the collection of `item`. Ignores an item without the table's key attributes, because the
  // write rejects that item.
  void Add(const TableRef& table, const Item& item);

  // Write the member ItemCollectionMetrics. Called after the request's write. Collections that
  // cannot be measured are left out.
  void WriteOne(JsonWriter* response) const;    // for a request that writes one item
  void WriteLists(JsonWriter* response) const;  // for other requests: a list per table
 private:
  struct TableCollections {
    Table table;
    std::string partition_key;
    bool has_local_indexes = false;
    std::vector<AttributeValue> partitions = {};
  };

  TableCollections* Find(const TableRef& table);

  const Context& context_;
  const bool asked_;
  std::vector<TableCollections> tables_;
};

}  // namespace dolmen::wire
