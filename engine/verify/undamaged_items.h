// A read of all items of a table that can be read.

#pragma once

#include "dolmen/repair.h"
#include "dolmen/result.h"
#include "dolmen/table_backup.h"
#include "engine/schema/table_schema.h"
#include "engine/storage/store.h"

namespace dolmen::engine {

// Contract: dolmen::ReadUndamaged.
Status ReadUndamaged(const Store& store, const TableSchema& table, const ItemHandler& on_item,
                     const RepairLossHandler& on_loss);

}  // namespace dolmen::engine
