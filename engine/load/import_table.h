// The import of items into a new table.

#pragma once

#include "dolmen/import_table.h"
#include "dolmen/result.h"
#include "engine/schema/catalog.h"
#include "engine/storage/store.h"

namespace dolmen::engine {

// Contract: Database::ImportTable.
Result<ImportTableOutput> ImportTable(Store* store, Catalog* catalog,
                                      const ImportTableInput& input);

}  // namespace dolmen::engine
