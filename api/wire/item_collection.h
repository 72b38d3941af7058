// ItemCollectionMetrics: the size of all items under one partition key, for tables with local
// indexes.
// https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_ItemCollectionMetrics.html

#pragma once

#include <string>
#include <vector>

#include "dolmen/table.h"
#include "wire/operation.h"

namespace dolmen::wire {

// The distinct item collections that a request writes to, in tables with local indexes. Empty if
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
