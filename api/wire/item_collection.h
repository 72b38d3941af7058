// ItemCollectionMetrics: how large the items under one partition key are, of tables with local
// indexes.
// https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_ItemCollectionMetrics.html

#pragma once

#include <span>

#include "dolmen/table.h"
#include "wire/operation.h"

namespace dolmen::wire {

bool AsksForCollectionMetrics(const JsonObject& request);

// The member ItemCollectionMetrics, if the table has local indexes.  `item` has the key attributes.
Status WriteCollectionMetrics(const Context& context, const Table& table, const Item& item,
                              JsonWriter* response);

// The same for a request that has written many items: a list for each of the tables.
struct WrittenItem {
  const Table* table = nullptr;
  const Item* item = nullptr;
};
Status WriteCollectionMetrics(const Context& context, std::span<const WrittenItem> written,
                              JsonWriter* response);

}  // namespace dolmen::wire
