// Work on all tables of a database. A table that is deleted meanwhile is skipped.

#pragma once

#include <cstdint>

#include "dolmen/database.h"
#include "dolmen/result.h"

namespace dolmen::wire {

// Deletes the expired items of all tables, and returns their number. Fails as Table::ExpireNow does.
Result<std::uint64_t> ExpireAllTables(const Database& database);

// Waits until all indexes of all tables are built. Fails as Table::WaitForIndexes does.
Status WaitForAllIndexes(const Database& database);

}  // namespace dolmen::wire
