// Pages of a Query or a Scan in the order that the options of a simulation ask for.

#pragma once

#include "dolmen/query.h"
#include "dolmen/result.h"
#include "dolmen/scan.h"
#include "dolmen/table_ref.h"
#include "dolmen/testing/simulate.h"

namespace dolmen::engine {

// Read a page by SimulateOptions::hash_order and shuffle_equal_keys. Contracts: Table::Query and
// Table::Scan.
// REQUIRES: `table` belongs to an Engine
Status ReadInOrder(const SimulateOptions& options, const TableRef& table, const QueryInput& input,
                   QueryOutput* page);
Status ReadInOrder(const SimulateOptions& options, const TableRef& table, const ScanInput& input,
                   ScanOutput* page);

}  // namespace dolmen::engine
