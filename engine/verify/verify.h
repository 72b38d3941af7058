// The verification of a whole database, and the read of the items that are not damaged.

#pragma once

#include <span>

#include "dolmen/repair.h"
#include "dolmen/result.h"
#include "dolmen/table_backup.h"
#include "dolmen/verify.h"
#include "engine/schema/live_table.h"
#include "engine/schema/table_schema.h"
#include "engine/storage/store.h"

namespace dolmen::engine {

// Checks the table files and the tables, and reports what is wrong with backups. Contract: Database::Verify. Data that cannot be read is
// a finding, not an error. Callable from any number of threads.
Result<VerifyOutput> Verify(const Store& store, std::span<const LiveTableRef> tables,
                            std::span<const std::string> backup_damage,
                            const VerifyProgressHandler& progress);

// Contract: dolmen::ReadUndamaged.
Status ReadUndamaged(const Store& store, const TableSchema& table, const ItemHandler& on_item,
                     const RepairLossHandler& on_loss);

}  // namespace dolmen::engine
