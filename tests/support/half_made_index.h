// An index whose backfill has stopped early.

#pragma once

#include <filesystem>
#include <string>

#include "dolmen/tables.h"

namespace dolmen::test {

// Starts to build the index of a table in a closed database that has items. Closes the database
// before the backfill writes an entry, as if the process had been killed. Fails the test if an
// error occurs.
void LeaveIndexHalfMade(const std::filesystem::path& path, const std::string& table,
                        const GlobalSecondaryIndex& index);

}  // namespace dolmen::test
