// Lists of tables, which `dolmen tables` and other commands show.

#pragma once

#include <string>
#include <vector>

#include "dolmen/database.h"

namespace dolmen::command {

// Returns the names of all tables, sorted.
// - The errors of Database::ListTables.
Result<std::vector<std::string>> TableNames(const Database& database);

// Return the tables for people, with a line for each table and each index, or a line of TableJson
// for each table.
// - kResourceNotFound: a table does not exist.
// - The other errors of Database::DescribeTable and Database::DescribeTimeToLive.
Result<std::string> TablesText(const Database& database, const std::vector<std::string>& names);
Result<std::string> TablesJson(const Database& database, const std::vector<std::string>& names);

}  // namespace dolmen::command
