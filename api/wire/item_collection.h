// ItemCollectionMetrics: how large the items under one partition key are, of tables with local
// indexes.
// https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_ItemCollectionMetrics.html

#pragma once

#include <string>
#include <vector>

#include "dolmen/table.h"
#include "wire/operation.h"

namespace dolmen::wire {

// The item collections that a request writes to, of tables with local indexes, each once; none if
// the request does not ask for ItemCollectionMetrics.  What a collection is has to be known before
// the write: one that is done may not be answered with an error.
class ItemCollections {
 public:
  ItemCollections(const Context& context, const JsonObject& request);

  // Adds the one of `item`, which has the key attributes, or is refused by the write.
  void Add(const TableRef& table, const Item& item);

  // After the write: the member ItemCollectionMetrics.  Collections that can't be measured are left
  // out.
  void WriteOne(JsonWriter* response) const;    // of a request that writes to one item
  void WriteLists(JsonWriter* response) const;  // of others: a list for each table
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
