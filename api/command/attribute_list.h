// The attributes that the items of a table have.

#pragma once

#include <string>

#include "dolmen/database.h"

namespace dolmen::command {

// Returns a table for people of the attributes in a sample of the table's items: the types of each
// attribute, and the number of items that have it.
// - kResourceNotFound: the table does not exist. The message names the existing tables.
// - kCorruption, kStorage: an item cannot be read.
Result<std::string> AttributesText(const Database& database, const std::string& table);

}  // namespace dolmen::command
