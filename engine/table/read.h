// Reads: one item by its key, and a range of one partition's items.

#pragma once

#include "dolmen/operations.h"
#include "dolmen/query.h"
#include "dolmen/result.h"
#include "engine/storage/store.h"
#include "engine/table/table_schema.h"

namespace dolmen::engine {

// Contracts: dolmen/table.h.
Result<GetItemOutput> GetItem(const Store& store, const TableSchema& table,
                              const GetItemInput& input);
Status Query(const Store& store, const TableSchema& table, const QueryInput& input,
             QueryOutput* page);

}  // namespace dolmen::engine
