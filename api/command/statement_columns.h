// The columns of a table that shows the result of a statement.

#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "dolmen/database.h"

namespace dolmen::command {

// Returns the names that a SELECT lists, as its result has them. A statement that lists no names,
// such as SELECT *, has the key attributes of its table and index. Returns nothing if the result has
// no key attributes, or if the table does not exist.
std::vector<std::string> StatementColumns(const Database& database, std::string_view statement);

}  // namespace dolmen::command
