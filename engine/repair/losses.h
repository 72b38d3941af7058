// The meaning of gaps in files for the tables of a database.

#pragma once

#include <span>
#include <vector>

#include "dolmen/repair.h"
#include "engine/repair/version.h"
#include "engine/schema/table_schema.h"

namespace dolmen::engine {

// Returns the losses of each table and each stream that follow from the gaps. A gap in an index is
// no loss, because a repair builds indexes from the items.
std::vector<RepairLoss> DescribeLosses(std::span<const FileGap> gaps,
                                       std::span<const TableSchema> tables);

}  // namespace dolmen::engine
