// Reads: one item by its key, several at once, and pages of items.

#pragma once

#include <algorithm>
#include <span>
#include <vector>

#include "dolmen/batch.h"
#include "dolmen/clock.h"
#include "dolmen/open_options.h"
#include "dolmen/operations.h"
#include "dolmen/query.h"
#include "dolmen/result.h"
#include "dolmen/scan.h"
#include "dolmen/transact.h"
#include "engine/schema/live_table.h"
#include "engine/storage/store.h"
#include "engine/write/lock_table.h"

namespace dolmen::engine {

// Does `read` with the table's schema, again if that is not the table's any more when it is done:
// then what was read may have been deleted meanwhile.
template <typename Read>
auto ReadLive(const LiveTable& table, Read read) -> decltype(read(*table.schema())) {
  for (;;) {
    const TableSchema* const schema = table.schema();
    if (schema == nullptr) return NoSuchTable();
    auto result = read(*schema);
    if (table.schema() == schema) return result;
  }
}

// The same for several tables at once, whose schemas are in the same order.
template <typename Read>
auto ReadLive(std::span<LiveTable* const> tables, Read read)
    -> decltype(read(std::span<const TableSchema* const>())) {
  const auto schemas_now = [&] {
    std::vector<const TableSchema*> schemas;
    for (const LiveTable* table : tables) schemas.push_back(table->schema());
    return schemas;
  };
  for (;;) {
    const std::vector<const TableSchema*> schemas = schemas_now();
    if (std::find(schemas.begin(), schemas.end(), nullptr) != schemas.end()) return NoSuchTable();
    auto result = read(std::span(schemas));
    if (schemas_now() == schemas) return result;
  }
}

// What reads work on.
struct ReadContext {
  const Store& store;
  const LockTable& locks;
  Clock& clock;
  OnConflict on_conflict = OnConflict::kWait;
};

// Contracts: dolmen/table.h; but after an error `output` and `page` may have anything.
Status GetItem(const ReadContext& context, const TableSchema& table, const GetItemInput& input,
               GetItemOutput* output);
Status Query(const ReadContext& context, const TableSchema& table, const QueryInput& input,
             QueryOutput* page);
Status Scan(const ReadContext& context, const TableSchema& table, const ScanInput& input,
            ScanOutput* page);

// Contracts: dolmen/database.h.  `schemas` are those of the requests' tables, in their order.
Result<BatchGetItemOutput> BatchGetItem(const ReadContext& context, const BatchGetItemInput& input,
                                        std::span<const TableSchema* const> schemas);
Result<TransactGetItemsOutput> TransactGetItems(const ReadContext& context,
                                                const TransactGetItemsInput& input,
                                                std::span<const TableSchema* const> schemas);

}  // namespace dolmen::engine
