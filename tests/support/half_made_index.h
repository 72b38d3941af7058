// An index whose backfill has stopped early.

#pragma once

#include <filesystem>
#include <string>

#include "dolmen/tables.h"

namespace dolmen::test {

// Begins to build the index of the table in a closed database with items. Closes the database
// before the backfill writes any entry, as a killed process may. Fails the test if that is not
// possible.
void LeaveIndexHalfMade(const std::filesystem::path& path, const std::string& table,
                        const GlobalSecondaryIndex& index);

}  // namespace dolmen::test
