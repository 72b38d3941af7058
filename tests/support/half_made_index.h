// An index whose making has come to a stop.

#pragma once

#include <filesystem>
#include <string>

#include "dolmen/tables.h"

namespace dolmen::test {

// Begins to make the index of the table in a closed database with items, and closes the database
// before any entry is made, as a killed process may.  Fails the test if that can't be done.
void LeaveIndexHalfMade(const std::filesystem::path& path, const std::string& table,
                        const GlobalSecondaryIndex& index);

}  // namespace dolmen::test
