// Work on all tables of a database. A table that is deleted meanwhile is skipped.

#pragma once

#include <cstdint>
#include <functional>

#include "dolmen/database.h"
#include "dolmen/result.h"

namespace dolmen::wire {

// Calls `visit` with each table of the database, in the order of their names. Stops at the first
// error and returns it. kResourceNotFound is no error, because the table is then deleted.
Status VisitTables(const Database& database, const std::function<Status(const Table&)>& visit);

// Deletes the expired items of all tables, and returns their number. Fails as Table::ExpireNow does.
Result<std::uint64_t> ExpireAllTables(const Database& database);

// Waits until all indexes of all tables are built. Fails as Table::WaitForIndexes does.
Status WaitForAllIndexes(const Database& database);

}  // namespace dolmen::wire
