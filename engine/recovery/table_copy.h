// The copy of a table's state at an earlier time into a new table.

#pragma once

#include <optional>

#include "dolmen/backup.h"
#include "dolmen/clock.h"
#include "dolmen/result.h"
#include "dolmen/table_backup.h"
#include "engine/load/new_table.h"
#include "engine/schema/table_schema.h"
#include "engine/storage/store.h"

namespace dolmen::engine {

// The state of a table that a restore copies.
struct CopySource {
  const Store& store;
  const Snapshot& snapshot;
  const TableSchema& table;
  // The time of the state, which the table's recovery log must cover. Nothing: the time of the
  // snapshot.
  std::optional<Timestamp> time = {};
};

// Adds the rows of `target`, a prepared table (Catalog::Prepare), to `rows`, and calls Finish.
// First reads the rows of the snapshot. Then reads the recovery log from its end back to the time,
// and takes the former version of each row. Then writes the rows, and the entries of all indexes. Each of these
// passes is sequential.
// - kCorruption: a row or a record is damaged.
// - kStorage: a file cannot be read or written.
Result<RestoreTableOutput> CopyTable(const CopySource& source, const TableSchema& target,
                                     NewTableRows* rows, const CopyProgressHandler& progress);

}  // namespace dolmen::engine
