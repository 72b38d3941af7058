// An index whose backfill has stopped early.

#pragma once

#include <filesystem>
#include <string>

#include "dolmen/create_table.h"

namespace dolmen::test {

// Opens a database, starts to build an index on a table that has items, and closes the database
// before the backfill writes an entry, as if the process had been killed. Fails the test if an
// error occurs. REQUIRES: the database is closed.
void LeaveIndexHalfMade(const std::filesystem::path& path, const std::string& table,
                        const GlobalSecondaryIndex& index);

}  // namespace dolmen::test
